//! `--report` and `gridmill sheet`: pages that are well formed, stand alone, and escape hostile text.

use std::collections::BTreeMap;
use std::fs;

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::json;

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
    assert_eq!(text(part(&document, "clues-2")).replace('\n', ""), "2|0|0|2|0");
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
    let is_bar = |node: &Node<'_, '_>| node.tag_name().name() == "rect" && node.attribute("fill") == Some("var(--bar)");
    let bar = part(&document, "clues").descendants().find(is_bar).expect("a bar");
    assert!(bar.attribute("width").unwrap().parse::<u32>().unwrap() > 20, "{bar:?}");
}

#[test]
fn a_resumed_run_says_which_puzzles_its_times_are_of() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n").repeat(2));
    let input = format!("{UNIQUE}\n").repeat(2);
    let run = CompleteRun::new(&dir, "solve in.txt - --columns line,status --report page.html", &input);
    assert_eq!(run.resumed(b"line,status\n1,unique\n"), run.complete);
    let page = dir.read("page.html");
    let all = text(checked(&page).root());
    assert!(all.contains("1 of them before; times and rates are of the others"), "{all}");
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
    let leaves = document.descendants().filter(|node| node.attribute("class") == Some("leaf"));
    assert_eq!(leaves.count(), 3);
    let solution = part(&document, "solution-3");
    let cells = solution.descendants().filter(|node| node.tag_name().name() == "td");
    assert_eq!(cells.clone().map(text).collect::<String>(), UNIQUE_SOLUTION);
    let clues = cells.filter(|node| node.attribute("class") == Some("clue"));
    assert_eq!(clues.map(text).collect::<String>(), UNIQUE.replace('.', ""));
    dir.write("many.txt", format!("{UNIQUE}\n{MULTIPLE}\n"));
    assert!(dir.run("sheet many.txt").fails().contains("many.txt:2: the puzzle has several solutions"));
    dir.write("none.txt", NONE);
    assert!(dir.run("sheet none.txt").fails().contains("none.txt:1: the puzzle has no solution"));
}
