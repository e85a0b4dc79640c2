//! The texts of a book in the language of its readers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use gridmill::rating::{Step, TechniqueName, sentence};

/// All texts: those that a file lacks are English.
const ENGLISH: &str = include_str!("texts/en.txt");

/// The languages that need no file.
const LANGUAGES: [(&str, &str); 3] =
    [("en", ENGLISH), ("de", include_str!("texts/de.txt")), ("fr", include_str!("texts/fr.txt"))];

/// The texts by their names. Techniques have names, too.
#[derive(Clone, Debug)]
pub(crate) struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The texts of a language, or of a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has an unknown name.
    pub(crate) fn read(language: &str) -> anyhow::Result<Texts> {
        let content = match LANGUAGES.iter().find(|(name, _)| *name == language) {
            Some((_, content)) => (*content).to_owned(),
            None => fs::read_to_string(language)
                .with_context(|| format!("--language is en, de, fr or a file; cannot read {language}"))?,
        };

        let own = |(name, text): (&str, &str)| (name.to_owned(), text.to_owned());
        let mut texts: BTreeMap<_, _> = ENGLISH.lines().filter_map(|line| line.split_once(" = ")).map(own).collect();
        let is_text = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
        for (number, line) in (1..).zip(content.lines()).filter(is_text) {
            let is_known = |name| texts.contains_key(name) || TechniqueName::families().contains(&name);
            let Some(text) = line.split_once(" = ").filter(|(name, _)| is_known(*name)) else {
                let names: Vec<&str> = texts.keys().map(String::as_str).collect();
                bail!("{language}:{number}: expected NAME = TEXT, with a technique or one of {}", names.join(", "));
            };
            texts.extend([own(text)]);
        }
        Ok(Texts(texts))
    }

    /// The file of a language that needs one.
    pub(crate) fn file(language: &str) -> Option<&Path> {
        LANGUAGES.iter().all(|(name, _)| *name != language).then(|| Path::new(language))
    }

    /// The text with this name, or the name itself.
    pub(crate) fn get<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// The sentence of a step.
    pub(crate) fn hint(&self, number: usize, step: &Step) -> String {
        let family = step.technique.family();
        let sentence = sentence(number, step).replacen(family, self.get(family), 1);
        sentence.split(' ').map(|word| self.get(word)).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::book::drawing::encoded;

    #[test]
    fn all_languages_have_all_texts_in_the_letters_of_the_fonts() {
        for (language, content) in LANGUAGES {
            let texts = Texts::read(language).unwrap();
            assert!(content.lines().flat_map(str::chars).all(|c| encoded(c).is_some()), "{language}");
            for name in Texts::read("en").unwrap().0.keys() {
                assert!(content.contains(&format!("\n{name} = ")), "{language}: {name}");
            }
            assert_eq!(texts.get("language"), language);
        }
    }
}
