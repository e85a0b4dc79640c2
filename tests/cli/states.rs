//! Runs `states`: solutions of partly filled grids, wrong moves, candidates, and what singles force.

use crate::{TestDir, UNIQUE};

/// Two solutions: 1 and 3 can change places in two rows.
const MULTIPLE: &str = ".2.4.4.221434321";

#[test]
fn rows_have_the_documented_columns() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!(
            "puzzle,grid\n\
             {UNIQUE},1.34.......1.4.2\n\
             {UNIQUE},\"after two moves: 1.32.......1.4.2\"\n\
             {UNIQUE},1.33.......1.4.2\n\
             {UNIQUE},1234432121433412\n\
             {UNIQUE},..34.......1....\n\
             {MULTIPLE},12.4.4.221434321\n\
             {MULTIPLE},.2.4.4.221434321\n\
             {MULTIPLE},12.414.221434321\n\
             {MULTIPLE},12.4.4.22143432.\n\
             {UNIQUE},none yet\n\
             11..............,11..............\n\
             x,1.34.......1.4.2\n"
        ),
    );
    let result = dir.run("states in.csv --state-column grid");
    assert!(result.err.ends_with(": 3 unique, 1 multiple, 6 none, 2 malformed\n"), "{}", result.err);
    assert_eq!(
        result.ends(0),
        format!(
            "line,puzzle,state,status,solutions,blanks,filled,wrong,conflicts,changed,detail\n\
             2,{UNIQUE},1.34.......1.4.2,none,0,12,2,1,0,0,\n\
             3,{UNIQUE},1.32.......1.4.2,none,0,12,2,2,2,0,\"two 2s in column 4: r1c4, r4c4\"\n\
             4,{UNIQUE},1.33.......1.4.2,none,0,12,2,2,2,0,\"two 3s in row 1: r1c3, r1c4\"\n\
             5,{UNIQUE},1234432121433412,unique,1,12,12,0,0,0,\n\
             6,{UNIQUE},..34.......1....,none,0,12,2,1,0,3,\n\
             7,{MULTIPLE},12.4.4.221434321,unique,1,4,1,,0,0,\n\
             8,{MULTIPLE},.2.4.4.221434321,multiple,2,4,0,,0,0,\n\
             9,{MULTIPLE},12.414.221434321,none,0,4,2,,2,0,\"two 1s in column 1: r1c1, r2c1\"\n\
             10,{MULTIPLE},12.4.4.22143432.,unique,1,4,1,,0,1,\n\
             11,{UNIQUE},,malformed,,,,,,,no grid of this size\n\
             12,11..............,11..............,none,0,14,0,,2,0,\"two 1s in row 1: r1c1, r1c2\"\n\
             13,x,,malformed,,,,,,,\"1 cell; a puzzle has 16, 36, 64, 81, 100, 144, 256 or 625\"\n"
        )
    );
}

#[test]
fn without_a_column_the_state_is_the_puzzle() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{UNIQUE}\n{MULTIPLE}\n11..............\n"));
    let rows = dir.run("states -q in.txt --forced --candidates").ends(0);
    assert_eq!(
        rows,
        format!(
            "line,puzzle,status,solutions,blanks,forced,backbone,candidates,detail\n\
             1,{UNIQUE},unique,1,12,r1c2=2;r1c4=4;r2c1=4;r2c3=2;r3c2=1;r3c4=3;r4c1=3;r4c3=1,1234432121433412,\
             1....2....3....4...4..3..2..1....2..1......4..3...3....41....2..,\n\
             2,{MULTIPLE},multiple,2,4,,.2.4.4.221434321,\
             1.3..2..1.3....41.3....41.3..2...2..1......4..3....4..3..2..1...,\n\
             3,11..............,none,0,14,,,,\"two 1s in row 1: r1c1, r1c2\"\n"
        )
    );
}

#[test]
fn the_first_wrong_move_is_found() {
    let dir = TestDir::new();
    let cases = [
        (UNIQUE, "r1c2=2 r1c4=4", ""),
        (UNIQUE, "r1c2=2 r1c4=2 r2c1=4", "2"),
        (UNIQUE, "[[1, 2, 2], [1, 4, 4], [2, 1, 3]]", "3"),
        (UNIQUE, "r1c2=4 r1c2=2", "1"),
        (UNIQUE, "r1c1=. r1c1=1 r1c1=2", "3"),
        (MULTIPLE, "r1c1=1 r1c3=3 r2c1=3 r2c3=1", ""),
        (MULTIPLE, "r1c1=3 r2c3=3 r1c3=1", ""),
        (MULTIPLE, "r1c1=3 r2c3=1", "2"),
        (MULTIPLE, "r1c1=3 r1c1=1 r1c3=3", ""),
        (MULTIPLE, "r1c2=1", "1"),
        ("11..............", "r1c3=2", "0"),
        (UNIQUE, "", ""),
    ];
    let lines: Vec<_> = cases.iter().map(|(puzzle, moves, _)| format!("{puzzle},\"{moves}\"\n")).collect();
    dir.write("in.csv", format!("puzzle,moves\n{}", lines.concat()));
    let rows = dir.run("states -q in.csv --moves-column moves --columns first_wrong,detail --no-header").ends(0);
    let found: Vec<&str> = rows.lines().map(|row| row.split(',').next().unwrap()).collect();
    assert_eq!(found, cases.map(|(_, _, expected)| expected));

    // A move that cannot be read is not wrong, and not right.
    let unreadable =
        |number| format!(",unreadable,\"move {number} cannot be read: write r1c2=3, or [1, 2, 3] in a list\"");
    for (moves, found) in [
        ("r1c2=2; later", unreadable(2)),
        ("r1c2=5", unreadable(1)),
        // The first move is wrong, but all are read before any is judged.
        ("r1c2=4; later", unreadable(2)),
        ("I place [1 2 2]. Then 4 at row 1 and column 4.", ",right,".to_owned()),
        ("I place [1 2 4].", "1,wrong,".to_owned()),
        ("r1c2=2 r1c4=4", ",right,".to_owned()),
        ("", ",right,".to_owned()),
    ] {
        dir.write("in.csv", format!("puzzle,moves\n{UNIQUE},{moves}\n"));
        let columns = "first_wrong,moves_status,detail";
        let row = dir.run(&format!("states -q in.csv --moves-column moves --columns {columns} --no-header")).ends(0);
        assert_eq!(row, format!("{found},{moves}\n"));
    }
}

/// The same moves from 0 and from 1. Without the option, those from 0 are not called wrong.
#[test]
fn moves_may_count_from_0() {
    let dir = TestDir::new();
    let run = |moves: &str, options: &str| {
        dir.write("in.csv", format!("puzzle,moves\n{UNIQUE},\"{moves}\"\n"));
        let columns = "moves_status,first_wrong,detail";
        let options = format!("--moves-column moves {options} --columns {columns} --no-header");
        let row = dir.run(&format!("states -q in.csv {options}")).ends(0);
        row.rsplit_once(",\"[[").map_or(row.clone(), |(row, _)| row.to_owned())
    };
    let (from_1, with_0, without_0) = ("[[1,2,2],[1,4,4],[2,3,2]]", "[[0,1,2],[1,0,4]]", "[[1,2,2],[2,1,1],[2,3,3]]");
    for (moves, options, expected) in [
        (from_1, "", "right,,"),
        (from_1, "--moves-from 1", "right,,"),
        (with_0, "", "unreadable,,\"move 1 has a row or column 0: if they count from 0, use --moves-from 0\""),
        (with_0, "--moves-from 0", "right,,"),
        (without_0, "--moves-from 0", "right,,"),
        (without_0, "--moves-from 1", "wrong,2,"),
    ] {
        assert_eq!(run(moves, options), expected, "{moves} {options}");
    }
    let unclear = run(without_0, "");
    assert!(
        unclear.starts_with("unreadable,,") && unclear.contains("right if rows and columns count from 0"),
        "{unclear}"
    );
}
