//! The texts of a book in the language of its readers.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use gridmill::rating::{Step, TechniqueName, sentence};

/// The languages that need no file, with their texts. The first one has every text.
const LANGUAGES: [(&str, &str); 3] =
    [("en", include_str!("texts/en.txt")), ("de", include_str!("texts/de.txt")), ("fr", include_str!("texts/fr.txt"))];

/// The texts by their names. Techniques have names, too.
#[derive(Clone, Debug)]
pub(crate) struct Texts(BTreeMap<String, String>);

impl Texts {
    /// The texts of a language, or of a file in addition to the English ones.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has an unknown name.
    pub(crate) fn read(language: &str) -> anyhow::Result<Texts> {
        let [english, ..] = LANGUAGES;
        let mut texts = Texts(BTreeMap::new());
        texts.add(english.0, english.1)?;
        match Texts::file(language) {
            None => texts
                .add(language, LANGUAGES.iter().find(|(name, _)| *name == language).expect("it needs no file").1)?,
            Some(path) => {
                let content = fs::read_to_string(path);
                let content =
                    content.with_context(|| format!("--language is en, de, fr or a file; cannot read {language}"))?;
                texts.add(language, &content)?;
            }
        }
        Ok(texts)
    }

    /// The file of a language that needs one.
    pub(crate) fn file(language: &str) -> Option<&Path> {
        LANGUAGES.iter().all(|(name, _)| *name != language).then(|| Path::new(language))
    }

    /// Adds the texts of lines such as `hints = Tipps`.
    fn add(&mut self, file: &str, content: &str) -> anyhow::Result<()> {
        let is_first = self.0.is_empty();
        for (number, line) in (1..).zip(content.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        {
            let (name, text) = line.split_once('=').unwrap_or((line, ""));
            let (name, text) = (name.trim(), text.trim());
            if text.is_empty() {
                bail!("{file}:{number}: a line has a name and its text, such as: hints = Tipps");
            }
            if !is_first && !self.0.contains_key(name) && !TechniqueName::families().contains(&name) {
                let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
                bail!("{file}:{number}: no text is called '{name}'; there are {}, and techniques", names.join(", "));
            }
            self.0.insert(name.to_owned(), text.to_owned());
        }
        Ok(())
    }

    /// The text with this name, or the name itself.
    pub(crate) fn get<'a>(&'a self, name: &'a str) -> &'a str {
        self.0.get(name).map_or(name, String::as_str)
    }

    /// A number with a decimal point.
    pub(crate) fn decimal(&self, number: impl ToString) -> String {
        number.to_string().replace('.', self.get("point"))
    }

    /// The sentence of a step.
    pub(crate) fn hint(&self, number: usize, step: &Step) -> String {
        let technique = format!("{} ({})", step.technique, step.difficulty);
        let family = step.technique.family();
        let translated = technique.replacen(family, self.get(family), 1);
        let sentence = sentence(number, step);
        let (before, after) = sentence.split_once(&technique).expect("a sentence names its technique");
        let words: Vec<&str> = after.split(' ').map(|word| self.get(word)).collect();
        format!("{before}{}{}", self.decimal(translated), words.join(" "))
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
