//! The programs in `examples/`, as modules: what they print is checked. That they build as programs, `cargo test` sees.

#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/leak_check.rs"]
mod leak_check;
#[expect(dead_code, reason = "`main` is for `cargo run`")]
#[path = "../../examples/solve_a_string.rs"]
mod solve_a_string;

#[test]
fn solve_a_string_describes_a_puzzle() {
    for (text, lines) in [
        ("1.3..........4.2", "4x4 puzzle with 4 clues\nsolution: 1234432121433412\nminimal: yes\n"),
        ("123..........4.2", "4x4 puzzle with 5 clues\nsolution: 1234432121433412\nminimal: no\n"),
        (
            "1...............",
            "4x4 puzzle with 1 clues\nsolutions: 72, up to a thousand; the first three:\n\
             1234341221434321\n1234341223414123\n1234341241232341\n",
        ),
        ("11..............", "4x4 puzzle with 2 clues\nthe puzzle has no solution\n"),
    ] {
        assert_eq!(solve_a_string::describe(text).unwrap(), lines);
    }
    assert!(solve_a_string::describe("11").is_err());
}

#[test]
fn leak_check_finds_isomorphs() {
    let train = include_str!("../../data/minimal.txt");
    let third = train.lines().nth(2).unwrap();
    let upside_down: String = third.chars().rev().collect();
    let test = format!("{}\n{upside_down}\n", include_str!("../../data/easy.txt").lines().next().unwrap());
    assert_eq!(leak_check::leaks(train, &test).unwrap(), [(2, 3)]);
}
