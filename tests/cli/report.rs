//! `--report` and `gridmill sheet`: pages that are well formed, stand alone, and escape hostile text.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::json;

use crate::rate::{EASY, MEDIUM, POINTING};
use crate::resume::CompleteRun;
use crate::{MULTIPLE, NONE, TestDir, UNIQUE, UNIQUE_SOLUTION, data};

/// A name that would end a tag, start a script, and steer a terminal.
const HOSTILE: &str = "<script>alert(1)<\u{1b}[31m\"'&.csv";
const SHOWN: &str = r#"<script>alert(1)<\u{1b}[31m"'&.csv"#;

/// Reads a page; checks that it is XML, has no scripts and no references to other files, and that its anchors are
/// different.
#[track_caller]
fn checked(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(page, options).unwrap();
    let mut anchors = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        assert!(!["script", "link", "img", "iframe", "object", "embed", "base"].contains(&node.tag_name().name()));
        for attribute in node.attributes() {
            let (name, value) = (attribute.name(), attribute.value());
            assert!(!name.starts_with("on") && name != "src" && !value.contains("url("), "{name}={value}");
            assert!(name != "href" || value.starts_with('#'), "{value}");
            if name == "id" {
                anchors.push(value.to_owned());
            }
        }
    }
    let links: Vec<_> = document.descendants().filter_map(|node| node.attribute("href")).collect();
    assert!(links.iter().all(|link| anchors.iter().any(|anchor| *anchor == link[1..])), "{links:?} {anchors:?}");
    assert!(!page.contains("@import") && !page.contains("url("));
    anchors.sort_unstable();
    let count = anchors.len();
    anchors.dedup();
    assert_eq!(anchors.len(), count);
    document
}

/// All texts of a page, or of a part of it.
fn text(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect::<Vec<_>>().join("|")
}

/// The texts of a part of a page, without the white space between tags.
fn words<'a>(node: Node<'a, '_>) -> Vec<&'a str> {
    let texts = node.descendants().filter_map(|node| node.text().filter(|_| node.is_text()));
    texts.map(str::trim).filter(|text| !text.is_empty()).collect()
}

/// The part of a page with an anchor.
fn part<'a, 'input>(document: &'a Document<'input>, id: &str) -> Node<'a, 'input> {
    document.descendants().find(|node| node.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn a_report_of_validate_draws_the_first_findings() {
    let dir = TestDir::new();
    let rows =
        format!("puzzle,solution\n{NONE},\n{UNIQUE},{UNIQUE_SOLUTION}\n<b>&rubbish\u{1b},\n{MULTIPLE},\n{NONE},\n");
    dir.write(HOSTILE, rows);
    let mut command = dir.command("validate -q -o rows.csv --duplicates --report page.html");
    assert_eq!(command.arg(HOSTILE).status().unwrap().code(), Some(1));
    let page = dir.read("page.html");
    let document = checked(&page);
    let all = text(document.root());
    assert!(all.contains(SHOWN) && all.contains("<b>&rubbish\\u{1b}"), "{all}");
    let run = text(part(&document, "run"));
    assert!(run.contains("SHA-256 ") && run.contains(env!("CARGO_PKG_VERSION")), "{run}");
    // The first conflict is on line 2: both cells are marked.
    let conflict = part(&document, "conflict");
    assert!(text(conflict).contains(&format!("conflict, {SHOWN}:2")), "{}", text(conflict));
    let marked = conflict.descendants().filter(|node| node.attribute("class") == Some("mark"));
    assert_eq!(marked.map(text).collect::<Vec<_>>(), ["1", "1"]);
    assert_eq!(conflict.descendants().filter(|node| node.has_tag_name((XHTML, "td"))).count(), 16);
    for (verdict, count) in [("sound", "1"), ("malformed", "1"), ("conflict", "2"), ("multiple", "1")] {
        let verdicts = text(part(&document, "verdicts"));
        assert!(verdicts.contains(&format!("{verdict} |{count}|")), "{verdict}: {verdicts}");
    }
    // A finding that is no verdict is drawn, too.
    let duplicate = text(part(&document, "duplicate"));
    assert!(duplicate.contains(&format!("duplicate, {SHOWN}:6")), "{duplicate}");
    let findings = text(part(&document, "finding-duplicate")).replace('\n', "");
    assert_eq!(findings, "duplicate: the same puzzle as an earlier one|1|0");
    assert_eq!(text(part(&document, "clues-2")).replace('\n', ""), "2|0|0|2");
}

const XHTML: &str = "http://www.w3.org/1999/xhtml";

#[test]
fn a_report_of_solve_has_the_histograms_and_the_slowest_puzzles() {
    let dir = TestDir::new();
    dir.run(&format!("solve -q {} --top 2 -o rows.csv --report page.html", data("minimal.txt"))).ends(0);
    let page = dir.read("page.html");
    let document = checked(&page);
    for id in ["records", "clues", "time", "guesses", "slowest", "slowest-2", "percentiles-time", "run"] {
        part(&document, id);
    }
    assert_eq!(document.descendants().filter(|node| node.tag_name().name() == "svg").count(), 3);
    // Nothing to draw is no error.
    dir.write("empty.txt", "");
    dir.run("solve -q empty.txt --report empty.html").ends(0);
    checked(&dir.read("empty.html"));
    let error = dir.run("solve -q empty.txt --report missing/page.html -o rows").fails();
    assert!(error.contains("missing/page.html") && fs::metadata(dir.path("rows")).is_err(), "{error}");
}

/// A puzzle of ER 1.5, one of ER 2.6, and one of ER 9.1.
const RATED: [&str; 3] = [
    "17..3....46.5..9....3.9.4.1....1.3.........8.....5412..4...756...6...2.....3..7..",
    "..12.....479.....38...5..7...2...........8265...1.7.4...8.62.199.....83..........",
    "..86..1.7..4..........8...57....36.....9.....9..1..43....7.....56...9..2.32......",
];

#[test]
fn a_report_of_rate_has_the_figures_of_the_summary() {
    let dir = TestDir::new();
    let [easy, pointing, hard] = RATED;
    dir.write(HOSTILE, format!("puzzle\n{easy}\n<b>&rubbish\n{pointing}\n{easy}\n{UNIQUE}\n{hard}\n"));
    let mut command = dir.command("rate -q --top 2 -o rows.csv --summary summary.json --report page.html --from csv");
    assert_eq!(command.arg(HOSTILE).status().unwrap().code(), Some(0));
    let page = dir.read("page.html");
    let document = checked(&page);
    let ratings = dir.summary("summary.json")["ratings"].clone();
    // The bars of ER are those of the summary, in steps of a half.
    let mut steps = BTreeMap::new();
    for (er, puzzles) in ratings["er"].as_object().unwrap() {
        *steps.entry((er.parse::<f64>().unwrap() * 2.0) as u64).or_insert(0) += puzzles.as_u64().unwrap();
    }
    let (first, last) = (*steps.keys().next().unwrap(), *steps.keys().next_back().unwrap());
    let bars =
        (first..=last).map(|step| format!("{}.{}|{}", step / 2, step % 2 * 5, steps.get(&step).copied().unwrap_or(0)));
    assert_eq!(figures(part(&document, "er")), bars.collect::<Vec<_>>());
    assert_eq!(steps.values().sum::<u64>(), 4);
    let levels = text(part(&document, "levels"));
    assert!(levels.contains("easy |2|") && levels.contains("medium |1|") && levels.contains("extreme |1|"), "{levels}");
    // The hardest puzzles are drawn with their ratings.
    let hardest = &ratings["hardest"][0];
    assert_eq!((&hardest["line"], &hardest["puzzle"]), (&json!(7), &json!(hard)));
    let drawn = part(&document, "hardest-1");
    let words = format!(
        "ER {}, EP {}, ED {}; {}",
        hardest["er"].as_str().unwrap(),
        hardest["ep"].as_str().unwrap(),
        hardest["ed"].as_str().unwrap(),
        hardest["hardest"].as_str().unwrap(),
    );
    assert!(text(drawn).contains(&format!("{SHOWN}:7")) && text(drawn).contains(&words), "{}: {words}", text(drawn));
    assert!(text(part(&document, "hardest-2")).contains("ER 2.6"));
    // How many puzzles need a technique, and of how many it is the hardest step.
    assert_eq!(text(part(&document, "hidden-single")).replace('\n', ""), "Hidden Single|4|100.00 %|2");
    assert_eq!(ratings["techniques"]["Pointing"]["hardest"], json!(1));
    // Without ratings there is nothing to draw of them.
    dir.write("small.txt", UNIQUE);
    dir.run("rate -q small.txt --report small.html").ends(0);
    let small = dir.read("small.html");
    assert!(checked(&small).descendants().all(|node| node.attribute("id") != Some("levels")));
    let error = dir.run("rate small.txt -o rows --report small.txt").fails();
    assert!(error.contains("small.txt is an input, too"), "{error}");
}

/// The rows of the table of figures in a section: `label|number`.
fn figures(section: Node<'_, '_>) -> Vec<String> {
    let rows = section.descendants().filter(|node| node.has_tag_name((XHTML, "tr")));
    rows.map(text).collect()
}

#[test]
fn many_kinds_of_clues_share_bars_and_one_kind_has_a_bar() {
    let dir = TestDir::new();
    dir.run(&format!("solve -q {} {} -o rows --report page.html", data("4x4.txt"), data("25x25.txt"))).ends(0);
    let page = dir.read("page.html");
    let document = checked(&page);
    let clues = part(&document, "clues");
    assert!(text(clues).contains("in steps of 8"), "{}", text(clues));
    let bars = figures(clues);
    assert!(bars.len() <= 50 && bars[0].ends_with("|200"), "{bars:?}");
    dir.write("one.txt", UNIQUE);
    dir.run("solve -q one.txt --report page.html").ends(0);
    let page = dir.read("page.html");
    let document = checked(&page);
    let is_bar =
        |node: &Node<'_, '_>| node.tag_name().name() == "rect" && node.attribute("style") == Some("fill: var(--bar)");
    let bar = part(&document, "clues").descendants().find(is_bar).expect("a bar");
    assert!(bar.attribute("width").unwrap().parse::<f64>().unwrap() > 20.0, "{bar:?}");
}

#[test]
fn a_resumed_run_says_which_puzzles_its_times_are_of() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(2));
    let input = format!("{UNIQUE}\n").repeat(2);
    let run = CompleteRun::new(&dir, "solve in.txt - --columns line,status --report page.html", &input);
    assert!(run.resumed(run.left.len()) == run.complete);
    let page = dir.read("page.html");
    let all = text(checked(&page).root());
    assert!(all.contains("2 of them before; times and rates are of the others"), "{all}");
    assert!(all.contains("of the puzzles since the run was resumed"), "{all}");
}

#[test]
fn a_report_of_bench_has_the_chart_and_the_table() {
    let dir = TestDir::new();
    dir.write(HOSTILE, format!("{UNIQUE}\n").repeat(20));
    let mut command =
        dir.command("bench -q --seconds 0 --engines dlx,bitmask --from lines --report page.html --export c.svg");
    assert!(command.arg(HOSTILE).output().unwrap().status.success());
    let page = dir.read("page.html");
    let document = checked(&page);
    assert!(text(part(&document, "rates")).contains(SHOWN), "{page}");
    assert!(text(part(&document, "row-2")).contains("bitmask"));
    let chart = dir.read("c.svg");
    assert!(chart.contains("prefers-color-scheme: dark"));
    checked(&chart);
}

#[test]
fn a_sheet_has_every_puzzle_and_every_solution() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(3));
    let page = dir.command("sheet in.txt --per-page 2 --title <i>&").output().unwrap();
    let page = String::from_utf8(page.stdout).unwrap();
    let document = checked(&page);
    assert!(text(document.root()).contains("<i>&"));
    assert_eq!(dir.run("sheet in.txt --per-page 2e0 --title <i>&").ends(0), page);
    assert!(dir.run("sheet in.txt --per-page 1_3").fails().contains("13 is not in 1..=12"));
    let pages = document.descendants().filter(|node| node.attribute("class") == Some("page"));
    assert_eq!(pages.count(), 3);
    assert_eq!(words(part(&document, "page-3")), ["3"]);
    let digits = |id: &str, classes: &[&str]| -> String {
        let is_meant = |node: &Node<'_, '_>| node.attribute("class").is_some_and(|class| classes.contains(&class));
        // The number of the puzzle is plain.
        part(&document, id).descendants().filter(is_meant).map(text).collect()
    };
    assert_eq!(digits("solution-3", &["strong middle", "plain middle"]), format!("3{UNIQUE_SOLUTION}"));
    for id in ["puzzle-3", "solution-3"] {
        assert_eq!(digits(id, &["strong middle"]), UNIQUE.replace('.', ""));
    }
    assert_eq!(digits("puzzle-3", &["plain middle"]), "3");
    assert_eq!(
        [1, 2].map(|page| words(part(&document, &format!("page-{page}"))).concat()),
        ["1Solutions on page 3", "2Solutions on page 3"]
    );
    let page = dir.run("sheet in.txt --start 101 --no-solutions").ends(0);
    assert!(words(part(&checked(&page), "puzzle-103")).starts_with(&["103"]) && !page.contains("olution"), "{page}");
    dir.write("many.txt", format!("{UNIQUE}\n{MULTIPLE}\n"));
    assert!(dir.run("sheet many.txt").fails().contains("many.txt:2: the puzzle has several solutions"));
    dir.write("none.txt", NONE);
    assert!(dir.run("sheet none.txt").fails().contains("none.txt:1: the puzzle has no solution"));
}

#[test]
fn a_book_has_ratings_and_hints() {
    let dir = TestDir::new();
    fs::copy(data("minimal.txt"), dir.path("minimal.txt")).unwrap();
    let puzzles = dir.run("sample -q minimal.txt -n 3 --seed 1").ends(0);
    // A puzzle of singles only has no hints.
    let puzzles = format!("{puzzles}{EASY}\n");
    dir.write("in.txt", &puzzles);
    let page = dir.run("sheet in.txt --hints first").ends(0);
    let document = checked(&page);
    let page = dir.run("sheet in.txt --hints hardest").ends(0);
    let hardest_first = checked(&page);
    let ids: Vec<&str> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    let place = |id: &str| ids.iter().position(|other| *other == id).unwrap();
    assert!(place("puzzle-4") < place("hints") && place("hints") < place("solution-1"), "{ids:?}");

    let levels = dir.run("rate -q in.txt --no-header --columns level,er").ends(0);
    for (number, (puzzle, level)) in (1..).zip(puzzles.lines().zip(levels.lines())) {
        let label = level.replace(',', ", ER ");
        assert_eq!(words(part(&document, &format!("puzzle-{number}"))).last(), Some(&&*label));
        assert!(!text(part(&document, &format!("solution-{number}"))).contains("ER"));
        let steps = dir.run(&format!("explain --grids none {puzzle}")).ends(0);
        let others = steps.lines().filter(|step| !step.contains(" Single (") && !step.starts_with("Solved"));
        let others: Vec<&str> = others.collect();
        let er = level.split(',').nth(1).unwrap();
        let hardest = others.iter().copied().filter(|step| step.contains(&format!(" ({er}): "))).take(3).collect();
        for (document, expected) in
            [(&document, others.into_iter().take(1).collect::<Vec<_>>()), (&hardest_first, hardest)]
        {
            let id = format!("hints-{number}");
            let hints = document.descendants().find(|node| node.attribute("id") == Some(&id)).map(words);
            let hints = hints.map(|hints| (hints[0].to_owned(), hints[1..].join(" ")));
            let expected = (!expected.is_empty()).then(|| (number.to_string(), expected.join(" ")));
            assert_eq!(hints, expected, "{puzzle}");
        }
    }

    let plain = dir.run("sheet in.txt --no-rating").ends(0);
    assert!(!plain.contains("ER ") && !plain.contains("hints"), "{plain}");
    dir.write("small.txt", UNIQUE);
    dir.run("sheet small.txt").ends(0);
    assert!(!dir.run("sheet small.txt --hints first").ends(0).contains("hints"));
}

/// The levels follow each other, each with a heading; bound pages have their margin on alternating sides.
#[test]
fn a_book_may_be_bound_and_sorted_by_level() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{POINTING}\n{EASY}\n{MEDIUM}\n{EASY}\n"));
    let levels = dir.run("rate -q in.txt --no-header --columns level").ends(0);
    let page = dir.run("sheet in.txt --by-level --binding 20 --paper a5 --no-rating --title Mine").ends(0);
    let document = checked(&page);
    let titles: Vec<String> = document
        .descendants()
        .filter(|node| node.attribute("id").is_some_and(|id| id.starts_with("title")))
        .map(|node| words(node).concat())
        .collect();
    let mut expected: Vec<String> = ["easy", "medium", "hard", "very hard", "fiendish"]
        .into_iter()
        .filter(|&level| levels.lines().any(|found| found == level))
        .map(|level| format!("Mine: {level}"))
        .collect();
    expected.push("Mine".to_owned());
    assert!(expected.len() > 2 && titles == expected, "{titles:?} {expected:?}");

    let left = |id: &str| -> f32 {
        let lines = part(&document, id).descendants().filter_map(|node| node.attribute("x1")?.parse().ok());
        lines.fold(f32::MAX, f32::min)
    };
    let page_of = |id: &str| {
        let page = part(&document, id).parent().unwrap();
        page.descendants().find_map(|node| node.attribute("id")?.strip_prefix("page-")).unwrap().to_owned()
    };
    let (first, last) = (left("puzzle-1"), left("puzzle-3"));
    let is_odd = |page: String| page.parse::<u32>().unwrap() % 2 == 1;
    let shift = if is_odd(page_of("puzzle-3")) { 0.0 } else { 20.0 };
    assert!(is_odd(page_of("puzzle-1")) && first > 35.0 && (first - shift - last).abs() < 0.05, "{first} {last}");
}

/// A file has the texts that differ; the shipped ones are as complete as the page about them.
#[test]
fn a_book_is_in_the_language_of_its_readers() {
    let dir = TestDir::new();
    fs::copy(data("minimal.txt"), dir.path("minimal.txt")).unwrap();
    let puzzles = dir.run("sample -q minimal.txt -n 3 --seed 1").ends(0);
    dir.write("in.txt", format!("{puzzles}{EASY}\n"));
    let page = dir.run("sheet in.txt --hints hardest --language de --author Me --title-page").ends(0);
    let document = checked(&page);
    let has = |id: &str, expected: &str| {
        assert!(words(part(&document, id)).concat().contains(expected), "{expected}: {page}");
    };
    has("title-page", "RätselMe");
    has("puzzle-4", "leicht, ER 1,");
    has("hints", "Tipps");
    has("solutions", "Lösungen");
    has("page-3", "3Lösungen auf Seite 5");
    assert!(words(part(&document, "page-1")).is_empty() && words(part(&document, "page-2")).is_empty());
    assert!(page.contains("<html lang=\"de\"") && !page.contains(" of "), "{page}");
    assert_eq!(dir.run("sheet in.txt --paper 210x297MM").ends(0), dir.run("sheet in.txt").ends(0));

    dir.write("mine", "# Mine.\neasy = light\nHidden Single = One\n").write("bad", "hard = 1\neasier = 2\n");
    let page = dir.run("sheet in.txt --language mine").ends(0);
    assert!(page.contains(">light, ER 1.") && page.contains(">Solutions<"), "{page}");
    for (line, message) in [
        ("--language bad", "bad:2: expected NAME = TEXT, with a technique or one of box, column, easy, "),
        ("--language es", "--language is en, de, fr or a file; cannot read es"),
        ("--language mine -o mine", "mine is an input, too"),
        ("--paper 6x9", "a size is a4, a5, letter, or such as 6x9in or 170x240mm"),
        ("--paper 6x9mm", "such as 6x9in or 170x240mm, from 70 to 1000 mm"),
    ] {
        let error = dir.run(&format!("sheet in.txt {line}")).fails();
        assert!(error.contains(message), "{error}");
    }
}

/// The objects of a PDF, by number.
fn objects(pdf: &[u8]) -> BTreeMap<u32, String> {
    let text = String::from_utf8_lossy(pdf).into_owned();
    let object = |object: &str| {
        let (head, content) = object.split_once(" 0 obj\n")?;
        Some((head.lines().last()?.parse().ok()?, content.to_owned()))
    };
    text.split("endobj").filter_map(object).collect()
}

/// The number of the object that an entry of a dictionary refers to.
fn reference(dictionary: &str, name: &str) -> u32 {
    let (_, value) = dictionary.split_once(&format!("/{name} ")).unwrap_or_else(|| panic!("{dictionary}"));
    value.split(' ').next().unwrap().parse().unwrap()
}

/// All fonts are embedded.
#[test]
fn a_book_is_html_or_pdf_by_its_name() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(30));
    for name in ["book.html", "book.HTM", "book"] {
        dir.run(&format!("sheet in.txt -o {name}")).ends(0);
        assert!(dir.read(name).starts_with("<!DOCTYPE html>"), "{name}");
    }

    // A page of the PDF is as large as the paper, and there are as many as in HTML.
    for (paper, size) in [("a4", "/MediaBox [0 0 595.27563 841.8898]"), ("letter", "/MediaBox [0 0 612 792]")] {
        let options = format!("sheet in.txt --paper {paper} --title caf\u{e9}");
        dir.run(&format!("{options} --author Me -o book.pdf")).ends(0);
        let pdf = fs::read(dir.path("book.pdf")).unwrap();
        let text = String::from_utf8_lossy(&pdf).into_owned();
        assert!(text.starts_with("%PDF-1.") && text.trim_end().ends_with("%%EOF") && text.contains("/Author (Me)"));
        let options = format!("{options} --author Me");
        let pages = dir.run(&options).ends(0).matches("<svg").count();
        assert_eq!((text.matches("/Type /Page\n").count(), text.matches(size).count()), (pages, pages), "{text}");
        dir.run(&format!("{options} -o again.pdf")).ends(0);
        assert_eq!(fs::read(dir.path("again.pdf")).unwrap(), pdf);
    }

    let pdf = fs::read(dir.path("book.pdf")).unwrap();
    let fonts = objects(&pdf).into_values().filter(|object| object.contains("/Type /Font\n")).collect::<Vec<_>>();
    assert_eq!(fonts.len(), 2);
    for font in fonts {
        let descriptor = &objects(&pdf)[&reference(&font, "FontDescriptor")];
        let file = &objects(&pdf)[&reference(descriptor, "FontFile2")];
        assert!(file.contains("/Length1 17") && file.contains("stream"), "{font} {descriptor} {file}");
    }

    let error = dir.run("sheet in.txt -o book.docx").fails();
    assert_eq!(error, "gridmill: -o book.docx: a book is HTML or PDF; name it .html or .pdf");
    let error = dir.run("sheet in.txt --title \u{6570}\u{72ec} -o other.pdf").fails();
    assert!(error.contains("the fonts of a PDF do not have '\u{6570}'") && error.contains("book.html"), "{error}");
    assert!(!dir.path("book.docx").exists() && !dir.path("other.pdf").exists());
}
