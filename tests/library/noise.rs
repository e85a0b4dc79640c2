//! Feeds random texts to the properties of the fuzz targets that read an input: most of their pieces have a meaning in
//! the format of the target.

use proptest::array::uniform4;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties;

const NINE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
const ROWS: &str = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79";
const SPACED: &str = "5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n. 9 8 | . . . | . 6 .\n------+-------+------\n\
    8 . . | . 6 . | . . 3\n4 . . | 8 . 3 | . . 1\n7 . . | . 2 . | . . 6\n------+-------+------\n\
    . 6 . | . . . | 2 8 .\n. . . | 4 1 9 | . . 5\n. . . | . 8 . | . 7 9";
const CANDIDATES: &str = "2 679 6789 1 46789 5 469 9 3\n389 5 4 69 689 68 7 1 29\n|---+---+---|\n";
const LIBRARY: &str =
    ":0000:x:53+4.7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8+6.79:115 215::";
const GAME: &str = "<game data=\"530070000600195000098000060800060003400803001700020006060000280000419005000080079\"/>";

const OBJECT: &str =
    "{\"puzzle\": \"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\"}";
const LIST: &str = "[5,3,0,0,7,0,0,0,0,6,0,0,1,9,5,0,0,0,0,9,8,0,0,0,0,6,0,8,0,0,0,6,0,0,0,3,4,0,0,8,0,3,0,0,1,7,0,0,0,2,0,0,0,6,\
    0,6,0,0,0,0,2,8,0,0,0,0,4,1,9,0,0,5,0,0,0,0,8,0,0,7,9]";

/// The bytes of an input of a target: four that it is set with, then a text of `start` and some of `samples`, with random
/// bytes between them.
fn noise(start: &'static str, samples: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let symbols = b"\n\r\t ,;:.0_-*xX123456789ABCGPY|+=\"#end\0\xff\xef\xbb\xbf".to_vec();
    let piece = prop_oneof![
        4 => select(symbols).prop_map(|byte| vec![byte]),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
        2 => (select(b"\n.-*0123 ".to_vec()), 1..30_usize).prop_map(|(byte, length)| vec![byte; length]),
        3 => select(samples).prop_map(|sample| sample.as_bytes().to_vec()),
    ];
    let text = vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    let set = prop_oneof![Just([255, 0, 0, 0]), any::<[u8; 4]>(), uniform4(0..100_u8)];
    (set, text).prop_map(|(set, text)| [&set[..], start.as_bytes(), &text].concat())
}

macro_rules! targets {
    ($($target:ident: $start:literal, $samples:expr;)*) => {
        $(
            proptest! {
                #[test]
                fn $target(bytes in noise($start, &$samples)) {
                    properties::$target(&bytes);
                }
            }
        )*
    };
}

targets! {
    recognise_and_read: "",
        [NINE, ROWS, OBJECT, LIST, GAME, "[", "],\n", "puzzle,a\n", "3\n", "1 0 0 4 ", "\u{feff}", "---------\n",
        "ABCDEFGHIJKLMNOP\n"];
    read_lines: "", [NINE, SOLVED, "050703060007", "end\n", "\nend"];
    read_grids: "", [ROWS, SPACED, "---------\n", "\n", "\nGrid 1\n", "12..\n", "│", "══╬══\n"];
    read_ints: "", ["2\n1 0 0 4\n0 0 1 0\n0 1 0 0\n4 0 0 1", "2", "\n"];
    read_csv: "a,puzzle\n", [NINE, "\n\u{feff}\"", ",", "\"", ",\"", "\",", "\"\n", "\r\n", "\"\""];
    read_jsonl: "",
        [NINE, OBJECT, LIST, "\n{\"puzzle\":", "\u{feff}", "[", "],", "{", "}", "\\n", "null", "\"puzzle\":[1,2"];
    read_candidates: "",
        [CANDIDATES, "*---*---*\n", "\n\n", "12 3 *45\n", "1 2 3 4 5 6 7 8 9\n", "│12│3\n"];
    read_hodoku: "", [LIBRARY, NINE, "\n:0000:x:", "+5"];
    read_opensudoku: "<opensudoku><game />",
        [GAME, NINE, "<opensudoku>", "<game", "data=\"", "<!--", "-->", "'/>", "--"];
    whole_run: "", [NINE, SOLVED, "1.3..........4.2\n", "puzzle,solution\n", "{\"puzzle\":\"1.3..........4.2\"}\n", "\n"];
}
