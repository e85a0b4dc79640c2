//! The implications of chains, each checked by the rules of the puzzle alone, as a reader of the rows would do it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use gridmill::Corpus;
use gridmill::jobs::trace::TraceStyle;
use gridmill::jobs::{Execution, Rate, Trace};
use gridmill::rating::{Rater, RatingGoal, RatingOptions};
use gridmill::rows::OutputFormat;
use serde::Deserialize;

/// A puzzle with ER 11.9, whose steps need chains within chains.
const HARDEST: &str = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

/// A row of `rate --steps` in JSON lines.
#[derive(Deserialize)]
struct StepRow {
    puzzle: String,
    step: u64,
    technique: String,
    eliminations: Vec<String>,
    placements: Vec<String>,
    candidates: String,
    implications: Vec<String>,
}

/// The column of a row of `trace`.
#[derive(Deserialize)]
struct TraceRow {
    puzzle: String,
    steps: Vec<u64>,
    implications: Vec<String>,
}

/// A cell and a digit, from 0.
type Candidate = (usize, usize);

/// A candidate, and whether it is true.
type Statement = (Candidate, bool);

/// The candidates of a grid.
type State = BTreeSet<Candidate>;

/// An implication of a row.
struct Implication {
    statement: Statement,
    causes: Vec<usize>,
    /// Assumptions, each with the end that it leads to.
    cases: Vec<[usize; 2]>,
    technique: Option<String>,
}

/// Reads `r4c5=7`, or `r4c5<>7`.
fn statement(text: &str) -> Statement {
    let number = |at: usize| usize::from(text.as_bytes()[at] - b'1');
    let candidate = (number(1) * 9 + number(3), number(text.len() - 1));
    match &text[4..text.len() - 1] {
        "=" => (candidate, true),
        "<>" => (candidate, false),
        sign => panic!("{sign} in {text}"),
    }
}

fn implication(text: &str) -> Implication {
    let mut parts = text.split(':');
    let statement = statement(parts.next().unwrap());
    let number = |text: &str| text.parse::<usize>().unwrap();
    let causes = parts.next().into_iter().flat_map(|causes| causes.split(','));
    let (cases, causes): (Vec<&str>, Vec<&str>) = causes.partition(|cause| cause.contains('>'));
    let case = |case: &str| case.split_once('>').map(|(assumption, end)| [assumption, end].map(number)).unwrap();
    Implication {
        statement,
        causes: causes.into_iter().map(number).collect(),
        cases: cases.into_iter().map(case).collect(),
        technique: parts.next().map(str::to_owned),
    }
}

/// The cells of the rows, the columns and the boxes.
fn houses() -> Vec<Vec<usize>> {
    let cells = |is_in: &dyn Fn(usize) -> bool| (0..81).filter(|&cell| is_in(cell)).collect();
    let of = |house: usize| {
        [
            cells(&|cell| cell / 9 == house),
            cells(&|cell| cell % 9 == house),
            cells(&|cell| cell / 27 * 3 + cell % 9 / 3 == house),
        ]
    };
    (0..9).flat_map(of).collect()
}

/// The groups of candidates of which exactly one is true: those of a cell, and those of a digit in a house.
fn groups(state: &State) -> Vec<State> {
    let mut groups: BTreeMap<(usize, usize), State> = BTreeMap::new();
    for (number, house) in houses().iter().enumerate() {
        for &(cell, digit) in state.iter().filter(|(cell, _)| house.contains(cell)) {
            groups.entry((number, digit)).or_default().insert((cell, digit));
            groups.entry((27, cell)).or_default().insert((cell, digit));
        }
    }
    groups.into_values().collect()
}

/// What a technique excludes, found cell by cell.
fn excluded(state: &State, technique: &str) -> State {
    let houses = houses();
    let cells_of = |digit: usize, house: &[usize]| -> BTreeSet<usize> {
        house.iter().copied().filter(|&cell| state.contains(&(cell, digit))).collect()
    };
    let digits_of =
        |cell: usize| -> BTreeSet<usize> { (0..9).filter(|&digit| state.contains(&(cell, digit))).collect() };
    let mut excluded = State::new();
    match technique {
        "Pointing" | "Claiming" => {
            for (digit, base, cover) in (0..9)
                .flat_map(|digit| houses.iter().flat_map(move |base| [(digit, base)]))
                .flat_map(|(digit, base)| houses.iter().map(move |cover| (digit, base, cover)))
            {
                let places = cells_of(digit, base);
                if !places.is_empty() && places.iter().all(|cell| cover.contains(cell)) {
                    excluded.extend(cells_of(digit, cover).difference(&places).map(|&cell| (cell, digit)));
                }
            }
        }
        "Naked Pair" => {
            for house in &houses {
                for (&a, &b) in house.iter().flat_map(|a| house.iter().filter(move |b| a < *b).map(move |b| (a, b))) {
                    let digits: BTreeSet<usize> = digits_of(a).union(&digits_of(b)).copied().collect();
                    if digits.len() == 2 && !digits_of(a).is_empty() && !digits_of(b).is_empty() {
                        let others = house.iter().filter(|&&cell| cell != a && cell != b);
                        excluded.extend(others.flat_map(|&cell| digits.iter().map(move |&digit| (cell, digit))));
                    }
                }
            }
        }
        "Hidden Pair" => {
            for house in &houses {
                for (a, b) in (0..9).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    let [of_a, of_b] = [a, b].map(|digit| cells_of(digit, house));
                    let places: BTreeSet<usize> = of_a.union(&of_b).copied().collect();
                    if places.len() == 2 && !of_a.is_empty() && !of_b.is_empty() {
                        let others = (0..9).filter(|&digit| digit != a && digit != b);
                        excluded.extend(others.flat_map(|digit| places.iter().map(move |&cell| (cell, digit))));
                    }
                }
            }
        }
        "X-Wing" => {
            for (digit, kind) in (0..9).flat_map(|digit| [0, 1].map(|kind| (digit, kind))) {
                let line = |cell: usize| if kind == 0 { cell / 9 } else { cell % 9 };
                let crossing = |cell: usize| if kind == 0 { cell % 9 } else { cell / 9 };
                for (a, b) in (0..9).flat_map(|b| (0..b).map(move |a| (a, b))) {
                    let all: BTreeSet<usize> = state.iter().filter(|c| c.1 == digit).map(|c| c.0).collect();
                    let on_lines = |cell: &&usize| [a, b].contains(&line(**cell));
                    let crossed: BTreeSet<usize> = all.iter().filter(on_lines).map(|&cell| crossing(cell)).collect();
                    let both = [a, b].iter().all(|&number| all.iter().any(|&cell| line(cell) == number));
                    if crossed.len() == 2 && both {
                        let others = all.iter().filter(|&&cell| ![a, b].contains(&line(cell)));
                        excluded.extend(others.filter(|&&cell| crossed.contains(&crossing(cell))).map(|&c| (c, digit)));
                    }
                }
            }
        }
        technique => panic!("{technique} in a chain"),
    }
    excluded
}

/// Checks each implication; returns the statements that rest on no assumption.
fn proved(state: &State, implications: &[Implication], place: &str) -> BTreeSet<Statement> {
    let groups = groups(state);
    let share_a_group = |a: Candidate, b: Candidate| a != b && groups.iter().any(|g| g.contains(&a) && g.contains(&b));
    let is_group = |members: &State| groups.contains(members);
    let mut open: Vec<BTreeSet<usize>> = vec![];
    let mut proved = BTreeSet::new();

    for (number, implication) in implications.iter().enumerate() {
        let place = format!("{place}, implication {number}");
        let Implication { statement: (candidate, is_true), causes, cases, technique } = implication;
        let (candidate, is_true) = (*candidate, *is_true);
        assert!(state.contains(&candidate), "{place}: it is no candidate");
        assert!(causes.iter().chain(cases.iter().flatten()).all(|&cause| cause < number), "{place}: no cause before");
        let of = |cause: &usize| implications[*cause].statement;
        let is_assumption =
            |number: usize| implications[number].causes.is_empty() && implications[number].cases.is_empty();
        let mut rests_on: BTreeSet<usize> = causes.iter().flat_map(|&cause| open[cause].clone()).collect();

        let false_ones: State = causes.iter().map(of).filter(|cause| !cause.1).map(|cause| cause.0).collect();
        let are_false = false_ones.len() == causes.len();
        if cases.is_empty() && causes.is_empty() {
            rests_on.insert(number);
        } else if let Some(technique) = technique {
            let left = state - &false_ones;
            assert!(are_false && cases.is_empty() && !is_true, "{place}");
            assert!(
                left.contains(&candidate) && excluded(&left, technique).contains(&candidate),
                "{place}: {technique}"
            );
        } else if cases.is_empty() && !is_true {
            let [cause] = causes[..] else { panic!("{place}: it has several causes") };
            assert!(of(&cause).1 && share_a_group(candidate, of(&cause).0), "{place}: they can both be true");
        } else if cases.is_empty() {
            let mut members = false_ones;
            assert!(are_false && members.insert(candidate) && is_group(&members), "{place}: it is not the last one");
        } else {
            for &[assumption, end] in cases {
                assert!(is_assumption(assumption), "{place}");
                rests_on.extend(open[end].iter().filter(|&&other| other != assumption));
            }
            let assumed: BTreeSet<Statement> = cases.iter().map(|[assumption, _]| of(assumption)).collect();
            let ends: BTreeSet<Statement> = cases.iter().map(|[_, end]| of(end)).collect();
            if assumed == BTreeSet::from([(candidate, !is_true)]) {
                assert!(causes.is_empty() && ends.len() == 2, "{place}");
                assert_eq!(ends.first().unwrap().0, ends.last().unwrap().0, "{place}: there is no contradiction");
            } else {
                assert_eq!(ends, BTreeSet::from([(candidate, is_true)]), "{place}: the cases have different ends");
                assert_eq!(assumed.len(), cases.len(), "{place}");
                let mut members: State = assumed.iter().map(|assumed| assumed.0).collect();
                let is_either = members.len() == 1 && assumed.len() == 2 && causes.is_empty();
                members.extend(&false_ones);
                let is_one_of = assumed.iter().all(|assumed| assumed.1) && are_false && is_group(&members);
                assert!(is_either || is_one_of, "{place}: there are other cases");
            }
        }

        if rests_on.is_empty() {
            proved.insert((candidate, is_true));
        }
        open.push(rests_on);
    }
    assert!(open.last().is_none_or(BTreeSet::is_empty), "{place}: the conclusion rests on an assumption");
    proved
}

/// Checks the implications of a step, if it is a chain.
fn check(row: &StepRow) {
    let place = format!("step {} of {}, {}", row.step, row.puzzle, row.technique);
    let is_chain =
        ["Chain", "Cycle", "Turbot Fish", "Generalized X-Wing"].iter().any(|kind| row.technique.contains(kind));
    assert_eq!(is_chain, !row.implications.is_empty(), "{place}");
    if !is_chain {
        return;
    }

    // A cell with a value has that digit alone, and no candidates.
    let symbols = row.candidates.as_bytes();
    let all: State = (0..729).filter(|&at| symbols[at] != b'.').map(|at| (at / 9, at % 9)).collect();
    let value_or_candidate = |cell: usize| all.range((cell, 0)..(cell + 1, 0)).count();
    let state: State = all.iter().copied().filter(|&(cell, _)| value_or_candidate(cell) > 1).collect();

    let implications: Vec<Implication> = row.implications.iter().map(|text| implication(text)).collect();
    let proved = proved(&state, &implications, &place);
    let placed: Vec<Candidate> = row.placements.iter().map(|text| statement(text).0).collect();
    for placed in &placed {
        assert!(proved.contains(&(*placed, true)), "{place}: {placed:?}");
    }
    for text in &row.eliminations {
        let (cell, digits) = text.split_once("<>").unwrap();
        for digit in digits.trim_matches(['{', '}']).split(',') {
            let removed = statement(&format!("{cell}<>{digit}"));
            let has_value = placed.iter().any(|placed| placed.0 == removed.0.0);
            assert!(has_value || proved.contains(&removed), "{place}: {removed:?}");
        }
    }
}

/// The steps of a corpus.
fn steps(corpus: Corpus) -> Vec<StepRow> {
    let mut rows = vec![];
    let columns = Rate::STEP_COLUMNS.iter().map(|column| column.name);
    let job = Rate::new().steps(true).format(OutputFormat::Jsonl).columns(columns);
    let _ = job.run(corpus, &mut rows, &Execution::new()).unwrap();
    str::from_utf8(&rows).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn path(file: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// The steps of a puzzle.
fn steps_of(puzzle: &str) -> Vec<StepRow> {
    let options = RatingOptions { goal: RatingGoal::Implications, max_er: None };
    let cells: Vec<u8> = puzzle.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' }).collect();
    let mut rows = vec![];
    Rater::with_options(options).rate(&cells.try_into().unwrap(), |candidates, step| {
        rows.push(StepRow {
            puzzle: puzzle.to_owned(),
            step: rows.len() as u64 + 1,
            technique: step.technique.to_string(),
            eliminations: step.eliminations.iter().map(ToString::to_string).collect(),
            placements: step.placement.iter().map(ToString::to_string).collect(),
            candidates: candidates.to_string(),
            implications: step.implications.iter().map(ToString::to_string).collect(),
        });
    });
    rows
}

/// The puzzles of `docs/techniques.md` need most techniques, and one more the hardest. `GRIDMILL_CHAINS` names a file with
/// other puzzles.
#[test]
fn every_implication_follows_from_its_causes() {
    let file = env::var("GRIDMILL_CHAINS");
    let puzzles: BTreeSet<String> = if let Ok(file) = &file {
        fs::read_to_string(file).unwrap().lines().map(|line| line[..81].to_owned()).collect()
    } else {
        let page = fs::read_to_string(path("docs/techniques.md")).unwrap();
        let quoted = page.split('`').skip(1).step_by(2).filter(|text| text.len() == 81);
        quoted.chain([HARDEST]).map(str::to_owned).collect()
    };

    let mut techniques: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for row in puzzles.iter().flat_map(|puzzle| steps_of(puzzle)) {
        check(&row);
        if !row.implications.is_empty() {
            let [steps, sum, longest] = techniques.entry(row.technique).or_default();
            *steps += 1;
            *sum += row.implications.len();
            *longest = row.implications.len().max(*longest);
        }
    }
    println!("steps, implications, those of the longest step: {techniques:#?}");
    assert!(techniques.len() >= 20 || file.is_ok(), "{techniques:#?}");
}

/// The first event of a step has the implications that `rate --steps` has.
#[test]
fn traces_have_the_same_implications() {
    let corpus = || Corpus::open_path(path("data/minimal.txt")).unwrap();
    let mut expected: BTreeMap<(String, u64), String> = BTreeMap::new();
    for row in steps(corpus()) {
        expected.insert((row.puzzle, row.step), row.implications.join("|"));
    }

    let mut rows = vec![];
    let job = Trace::new().style(TraceStyle::Technique).format(OutputFormat::Jsonl);
    let _ = job.run(corpus(), &mut rows, &Execution::new()).unwrap();
    let mut chains = 0;
    for line in str::from_utf8(&rows).unwrap().lines() {
        let TraceRow { puzzle, steps, implications } = serde_json::from_str(line).unwrap();
        assert_eq!(implications.len(), steps.len());
        for (index, (step, implications)) in steps.iter().zip(&implications).enumerate() {
            let is_first = index == 0 || steps[index - 1] != *step;
            let expected = if is_first { expected[&(puzzle.clone(), *step)].as_str() } else { "" };
            assert_eq!(implications, expected, "step {step} of {puzzle}");
            chains += usize::from(!implications.is_empty());
        }
    }
    assert!(chains > 500, "{chains}");
}
