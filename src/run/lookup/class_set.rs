//! A set of classes in a file: it shows the classes of a corpus without its puzzles.
//!
//! The owner of a hidden test set hands out the set of its classes, and everybody can look for its puzzles in other
//! corpora. A line of JSON describes the set. The classes of the puzzles and of the grids follow (solutions, answers, full
//! grids in other columns), 16 bytes each, in ascending order. Only a puzzle without a blank has the class of a grid.
//!
//! ```text
//! {"format":"gridmill classes","version":2,"classes":2,"grids":1,"records":3,"without_class":0,"without_grid":1,"malformed":1,"key":null,"sha256":"9f86…"}
//! 05 99 19 c1 9f 08 f4 d4 83 32 32 c3 fc 79 74 5c     a class, or its hash with a key
//! 21 af 4e 90 9b 70 50 76 02 84 7a 5c d7 2f 02 ec
//! b0 a0 d1 ed c0 fb 5b 75 77 0a 5d cb e7 b0 d4 fb     the class of a grid
//! ```
//!
//! Version 1 has no grids: it finds isomorphs, but no other puzzle of a grid.
//!
//! `sha256` is the SHA-256 of all bytes of the file, computed with an empty `sha256`.
//!
//! With a key, each class is replaced by the first half of its HMAC-SHA-256. `key` is a hash that exposes a wrong key,
//! because with a wrong key no leak would be found.

use std::fmt;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::canon::{Class, Key};
use crate::compression::open_text;
use crate::output::hexadecimal;

/// The classes of a corpus, without its puzzles.
#[derive(Debug)]
pub struct ClassSet {
    header: ClassSetHeader,
    /// In ascending order.
    entries: Vec<Key>,
    key: Option<ClassKey>,
}

/// A set of classes, and the name of its file for the rows.
#[derive(Debug)]
pub struct NamedClassSet {
    /// The name.
    pub name: String,
    /// The set.
    pub set: ClassSet,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ClassSetHeader {
    format: String,
    version: u32,
    classes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    grids: Option<u64>,
    records: u64,
    without_class: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    without_grid: Option<u64>,
    malformed: u64,
    /// The check of the key, if the classes are hashed with one.
    key: Option<String>,
    sha256: String,
}

const FORMAT: &str = "gridmill classes";
const VERSION: u32 = 2;
const ENTRY: usize = 16;

/// The number of bytes that are read at a time.
const BUFFER: usize = 1 << 20;

/// The maximum length of the first line.
const MAX_HEADER: u64 = 4096;

/// The records of a corpus, counted by whether they have a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClassSetCounts {
    /// All records.
    pub records: u64,
    /// Puzzles without a class: their size has no classes, or the canonical form exceeded its work bound. The set
    /// cannot find them.
    pub without_class: u64,
    /// Puzzles without a known grid: they do not have exactly one solution, and no answer is a grid, or their size has no
    /// classes.
    pub without_grid: u64,
    /// Records that are not puzzles.
    pub malformed: u64,
}

/// A secret key for hashing classes. Without it, nobody can look for a puzzle in the set.
#[derive(Clone)]
pub struct ClassKey(Hmac<Sha256>);

impl ClassKey {
    /// A key from these bytes.
    ///
    /// # Errors
    ///
    /// If they are fewer than 16.
    pub fn new(secret: &[u8]) -> Result<ClassKey, ClassSetError> {
        if secret.len() < ENTRY {
            return Err(ClassSetError::ShortKey(secret.len()));
        }
        Ok(ClassKey(Hmac::new_from_slice(secret).expect("HMAC takes keys of any length")))
    }

    /// Reads a key from a file: all its bytes.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has fewer than 16 bytes.
    pub fn read(path: &Path) -> Result<ClassKey, ClassFileError> {
        let read = || ClassKey::new(&fs::read(path)?);
        read().map_err(|error| ClassFileError { path: path.to_owned(), error })
    }

    /// The first half of the hash of some bytes.
    fn hash(&self, bytes: &[u8]) -> Key {
        let hash = self.0.clone().chain_update(bytes).finalize().into_bytes();
        Key::from_bytes(std::array::from_fn(|byte| hash[byte]))
    }

    /// A hash that identifies this key. Its input is shorter than a class, so it is not the hash of one.
    fn check(&self) -> String {
        self.hash(b"check").to_string()
    }
}

/// Does not print the secret.
impl fmt::Debug for ClassKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClassKey")
    }
}

/// The error for a set of classes that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClassSetError {
    /// Reading fails.
    #[error(transparent)]
    Read(#[from] io::Error),
    /// The text does not begin like a set.
    #[error("it is not a set of classes")]
    NotASet,
    /// It was written by another version of gridmill.
    #[error("it is a set of version {0}, and only 1 and 2 are known")]
    Version(u32),
    /// It does not have the bytes that were written.
    #[error("it is damaged: its bytes do not have the checksum of its first line")]
    Damaged,
    /// It has no classes.
    #[error("it has no classes, so that no leak could be found")]
    Empty,
    /// The classes are hashed with a key, but no key was given.
    #[error("its classes are hashed with a key, which is not given")]
    NeedsKey,
    /// The classes are hashed with another key.
    #[error("its classes are hashed with another key")]
    OtherKey,
    /// A key was given, but the classes are not hashed.
    #[error("its classes are not hashed with a key, but one is given")]
    NoKey,
    /// The key is so short that it could be guessed.
    #[error("a key needs at least 16 bytes, not {0}")]
    ShortKey(usize),
}

/// The error for a file of classes or with a key that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}", path.display())]
pub struct ClassFileError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    #[source]
    pub error: ClassSetError,
}

/// The start of each set's file.
const START: &[u8] = b"{\"format\":\"gridmill classes\"";

impl ClassSet {
    /// The sets among some files, and the other files. All sets have the same key, if any.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or a set is damaged or does not fit the key.
    #[doc(hidden)]
    pub fn among(
        files: Vec<PathBuf>,
        key: Option<&ClassKey>,
    ) -> Result<(Vec<NamedClassSet>, Vec<PathBuf>), ClassFileError> {
        let (mut sets, mut others) = (vec![], vec![]);
        for path in files {
            match ClassSet::open(&path, key) {
                Ok(Some(set)) => sets.push(NamedClassSet { name: path.display().to_string(), set }),
                Ok(None) => others.push(path),
                Err(error) => return Err(ClassFileError { path, error }),
            }
        }
        Ok((sets, others))
    }

    /// The set in a file; `None` if the file is anything else.
    fn open(path: &Path, key: Option<&ClassKey>) -> Result<Option<ClassSet>, ClassSetError> {
        // Only regular files: standard input, devices and pipes can be read only once, and the reader of puzzles needs
        // them.
        if !path.is_file() {
            return Ok(None);
        }
        let mut file = open_text(path, BUFFER)?;
        // A file that cannot be unpacked is not a set; the reader of puzzles reports the error.
        if !file.fill_buf().is_ok_and(|start| start.starts_with(START)) {
            return Ok(None);
        }
        ClassSet::read(file, key).map(Some)
    }

    /// The set of some classes of puzzles, and of grids.
    pub(crate) fn new(kinds: [Vec<Key>; 2], counts: ClassSetCounts, key: Option<ClassKey>) -> ClassSet {
        let sorted = |mut entries: Vec<Key>| {
            entries.sort_unstable();
            entries.dedup();
            entries
        };
        let kinds = kinds.map(sorted);
        let [classes, grids] = [0, 1].map(|kind| kinds[kind].len() as u64);
        let mut entries = kinds.concat();
        if let Some(key) = &key {
            entries = entries.iter().map(|entry| key.hash(&entry.bytes())).collect();
        }
        let entries = sorted(entries);

        let ClassSetCounts { records, without_class, without_grid, malformed } = counts;
        let mut header = ClassSetHeader {
            format: FORMAT.to_owned(),
            version: VERSION,
            classes,
            grids: Some(grids),
            records,
            without_class,
            without_grid: Some(without_grid),
            malformed,
            key: key.as_ref().map(ClassKey::check),
            sha256: String::new(),
        };
        header.sha256 = header.digest(&entries);
        ClassSet { header, entries, key }
    }

    /// Reads a set, and verifies its checksum: ten million classes take half a second.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is damaged, or does not fit the key.
    pub fn read(mut input: impl BufRead, key: Option<&ClassKey>) -> Result<ClassSet, ClassSetError> {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if !line.starts_with(START) {
            return Err(ClassSetError::NotASet);
        }
        let header: ClassSetHeader = serde_json::from_slice(&line).map_err(|_| ClassSetError::Damaged)?;
        if !(1..=VERSION).contains(&header.version) {
            return Err(ClassSetError::Version(header.version));
        }

        let (mut entries, mut entry) = (Vec::new(), Vec::new());
        while input.by_ref().take(ENTRY as u64).read_to_end(&mut entry)? > 0 {
            entries.push(Key::from_bytes(entry[..].try_into().map_err(|_| ClassSetError::Damaged)?));
            entry.clear();
        }
        // A field with a damaged name would count as missing, so compare the line with the one that would be written.
        let is_of_version =
            [header.grids, header.without_grid].map(|field| field.is_some()) == [header.version == VERSION; 2];
        let is_whole = header.line() == line && is_of_version;
        if !is_whole || !entries.is_sorted_by(|a, b| a < b) || header.digest(&entries) != header.sha256 {
            return Err(ClassSetError::Damaged);
        }

        match (&header.key, key) {
            _ if entries.is_empty() => Err(ClassSetError::Empty),
            (Some(_), None) => Err(ClassSetError::NeedsKey),
            (Some(check), Some(key)) if *check != key.check() => Err(ClassSetError::OtherKey),
            (None, Some(_)) => Err(ClassSetError::NoKey),
            _ => Ok(ClassSet { header, entries, key: key.cloned() }),
        }
    }

    /// Writes the set in the format that [`read`](ClassSet::read) reads.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn write(&self, mut output: impl Write) -> io::Result<()> {
        output.write_all(&self.header.line())?;
        self.entries.iter().try_for_each(|entry| output.write_all(&entry.bytes()))?;
        output.flush()
    }

    /// Whether a puzzle of this class is in the corpus; for the class of a full grid, whether the grid is, unless
    /// [`grids`](ClassSet::grids) are not known.
    pub fn has(&self, class: Class) -> bool {
        let class = Key::from(class);
        let entry = self.key.as_ref().map_or(class, |key| key.hash(&class.bytes()));
        self.entries.binary_search(&entry).is_ok()
    }

    /// The SHA-256 of the set, in hexadecimal digits.
    pub fn sha256(&self) -> &str {
        &self.header.sha256
    }

    /// The number of classes of puzzles.
    pub fn len(&self) -> usize {
        self.header.classes as usize
    }

    /// The number of classes of grids; `None` if the set is of version 1.
    pub fn grids(&self) -> Option<u64> {
        self.header.grids
    }

    /// Whether the set has no classes.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The records of the corpus.
    pub fn counts(&self) -> ClassSetCounts {
        let ClassSetHeader { records, without_class, without_grid, malformed, .. } = self.header;
        ClassSetCounts { records, without_class, without_grid: without_grid.unwrap_or(0), malformed }
    }
}

impl ClassSetHeader {
    /// The line as it is written.
    fn line(&self) -> Vec<u8> {
        (serde_json::to_string(self).expect("texts and numbers have JSON") + "\n").into()
    }

    /// The SHA-256 of the line, without its own digest, and of some entries, in hexadecimal digits.
    fn digest(&self, entries: &[Key]) -> String {
        let mut hash = Sha256::new_with_prefix(ClassSetHeader { sha256: String::new(), ..self.clone() }.line());
        for entry in entries {
            hash.update(entry.bytes());
        }
        hexadecimal(&hash.finalize())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: ClassSetCounts = ClassSetCounts { records: 5, without_class: 1, without_grid: 2, malformed: 1 };

    fn class(number: u8) -> Class {
        Class::of(&[number % 10; 81])
    }

    fn set(key: Option<ClassKey>) -> (ClassSet, Vec<u8>) {
        let keys = |numbers: &[u8]| numbers.iter().map(|&number| Key::from(class(number))).collect();
        let set = ClassSet::new([keys(&[3, 1, 2, 1]), keys(&[5, 3, 5])], COUNTS, key);
        let mut file = vec![];
        set.write(&mut file).unwrap();
        (set, file)
    }

    fn key(letter: u8) -> ClassKey {
        ClassKey::new(&[letter; 16]).unwrap()
    }

    #[test]
    fn a_set_has_its_classes_and_no_others() {
        for key in [None, Some(key(b'a'))] {
            let (set, file) = set(key.clone());
            assert!(file.starts_with(START));
            let read = ClassSet::read(&*file, key.as_ref()).unwrap();
            for set in [set, read] {
                assert_eq!((set.len(), set.grids(), set.counts()), (3, Some(2), COUNTS));
                assert!([1, 2, 3, 5].iter().all(|&number| set.has(class(number))) && !set.has(class(4)));
            }
        }
    }

    #[test]
    fn a_set_of_version_1_has_no_grids() {
        let (ClassSet { header, entries, .. }, _) = set(None);
        let mut header = ClassSetHeader { version: 1, grids: None, without_grid: None, ..header };
        header.sha256 = header.digest(&entries);
        let mut file = vec![];
        ClassSet { header, entries, key: None }.write(&mut file).unwrap();
        assert!(file.starts_with(b"{\"format\":\"gridmill classes\",\"version\":1,\"classes\":3,\"records\":5,"));
        let read = ClassSet::read(&*file, None).unwrap();
        assert_eq!((read.len(), read.grids(), read.has(class(1))), (3, None, true));
    }

    #[test]
    fn a_key_hides_classes_and_has_to_be_the_right_one() {
        let (_, plain) = set(None);
        let (_, keyed) = set(Some(key(b'a')));
        let bytes = class(1).bytes();
        assert!(plain.windows(16).any(|window| window == bytes) && !keyed.windows(16).any(|window| window == bytes));
        assert!(matches!(ClassSet::read(&*keyed, None), Err(ClassSetError::NeedsKey)));
        assert!(matches!(ClassSet::read(&*keyed, Some(&key(b'b'))), Err(ClassSetError::OtherKey)));
        assert!(matches!(ClassSet::read(&*plain, Some(&key(b'a'))), Err(ClassSetError::NoKey)));
        assert!(matches!(ClassKey::new(b"short"), Err(ClassSetError::ShortKey(5))));
    }

    #[test]
    fn damage_is_seen_wherever_it_is() {
        for key in [None, Some(key(b'a'))] {
            let (_, file) = set(key);
            let version = file.iter().position(u8::is_ascii_digit).unwrap();
            for (at, bit) in (START.len()..file.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut damaged = file.clone();
                damaged[at] ^= 1 << bit;
                let error = ClassSet::read(&*damaged, None).unwrap_err();
                let is_version = at == version && matches!(error, ClassSetError::Version(_));
                assert!(is_version || matches!(error, ClassSetError::Damaged), "byte {at}, bit {bit}: {error}");
            }
        }
        let (_, file) = set(None);
        let start = file.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for end in 0..file.len() {
            assert!(ClassSet::read(&file[..end], None).is_err(), "{end}");
        }
        let longer = [&file[..], b"x"].concat();
        assert!(matches!(ClassSet::read(&*longer, None), Err(ClassSetError::Damaged)));
        assert!(matches!(ClassSet::read(&b"puzzle\n"[..], None), Err(ClassSetError::NotASet)));
        let empty = ClassSet::new([vec![], vec![]], COUNTS, None);
        let mut file_of_empty = vec![];
        empty.write(&mut file_of_empty).unwrap();
        assert!(matches!(ClassSet::read(&*file_of_empty, None), Err(ClassSetError::Empty)));
        let other = String::from_utf8_lossy(&file[..start]).replace("\"version\":2", "\"version\":3");
        assert!(matches!(ClassSet::read(other.as_bytes(), None), Err(ClassSetError::Version(3))));
    }
}
