//! Checks the footer of a Parquet file before it is decoded: decoding takes memory and stack by what the footer says.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use super::thrift::{Thrift, kind};

/// The longest footer, in bytes. Decoded, it takes some twenty times as much memory.
const MAX_FOOTER: u32 = 16 << 20;

/// The most row groups: the Parquet crate numbers them with 15 bits.
const MAX_ROW_GROUPS: usize = 1 << 15;

/// How deep columns may be nested.
const MAX_DEPTH: usize = 64;

/// The most bytes that the paths of all columns have.
const MAX_PATHS: usize = 64 << 20;

/// Why a footer is not decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FooterError {
    #[error("it does not end as a Parquet file does; it is damaged, or was not written to its end")]
    NoEnd,
    #[error("its footer is encrypted; write it without encryption")]
    Encrypted,
    #[error("its footer is damaged")]
    Damaged,
    #[error("its footer is larger than {} MiB", MAX_FOOTER >> 20)]
    TooLong,
    #[error("it has more than {MAX_ROW_GROUPS} row groups")]
    TooManyRowGroups,
    #[error("its columns are nested more than {MAX_DEPTH} deep, or have names that are too long")]
    TooDeep,
}

/// Checks that the footer of a file can be decoded. Returns the indices of the columns that are encrypted.
pub(super) fn check(file: &mut File) -> io::Result<BTreeSet<usize>> {
    let footer = read(file)?;
    check_metadata(Thrift(&footer)).map_err(io::Error::other)
}

/// The metadata at the end of a file, before its length and the magic bytes.
fn read(file: &mut File) -> io::Result<Vec<u8>> {
    const END: u32 = 8;
    let length = file.seek(SeekFrom::End(0))?;
    let mut end = [0; END as usize];
    if length < u64::from(END) {
        return Err(io::Error::other(FooterError::NoEnd));
    }
    file.seek(SeekFrom::End(-i64::from(END)))?;
    file.read_exact(&mut end)?;

    let [a, b, c, d, magic @ ..] = end;
    let footer = u32::from_le_bytes([a, b, c, d]);
    match &magic {
        b"PAR1" if u64::from(footer) > length - u64::from(END) => Err(FooterError::NoEnd),
        b"PAR1" if footer > MAX_FOOTER => Err(FooterError::TooLong),
        b"PAR1" => Ok(()),
        b"PARE" => Err(FooterError::Encrypted),
        _ => Err(FooterError::NoEnd),
    }
    .map_err(io::Error::other)?;

    let mut bytes = vec![0; footer as usize];
    file.seek(SeekFrom::End(-i64::from(footer + END)))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn check_metadata(mut footer: Thrift<'_>) -> Result<BTreeSet<usize>, FooterError> {
    let (mut verdict, mut encrypted) = (Ok(()), BTreeSet::new());
    let end = footer.fields(|footer, field| match (field.id, field.kind) {
        (2, kind::LIST) => {
            verdict = verdict.and(check_schema(footer)?);
            Some(())
        }
        (4, kind::LIST) => {
            let row_groups = footer.structures()?;
            if row_groups > MAX_ROW_GROUPS {
                verdict = verdict.and(Err(FooterError::TooManyRowGroups));
            }
            (0..row_groups).try_for_each(|_| add_encrypted(footer, &mut encrypted))
        }
        (_, kind) => footer.skip(kind),
    });
    verdict.and(end.ok_or(FooterError::Damaged)).map(|()| encrypted)
}

/// Reads a row group, and adds the columns that are encrypted.
fn add_encrypted(footer: &mut Thrift<'_>, encrypted: &mut BTreeSet<usize>) -> Option<()> {
    footer.fields(|footer, field| match (field.id, field.kind) {
        (1, kind::LIST) => (0..footer.structures()?).try_for_each(|column| {
            footer.fields(|footer, field| {
                // How the column is encrypted.
                if field.id == 8 {
                    encrypted.insert(column);
                }
                footer.skip(field.kind)
            })
        }),
        (_, kind) => footer.skip(kind),
    })
}

/// Checks the schema: a list of columns, each before those that it consists of.
fn check_schema(footer: &mut Thrift<'_>) -> Option<Result<(), FooterError>> {
    let mut verdict = Ok(());
    // For each of the columns around the next one: how many of its columns are to come, and the length of its path.
    let mut around: Vec<(i64, usize)> = vec![];
    let mut paths: usize = 0;
    for _ in 0..footer.structures()? {
        let (mut name, mut columns) = (0, 0);
        footer.fields(|footer, field| match (field.id, field.kind) {
            (4, kind::BINARY) => footer.binary().map(|length| name = length),
            (5, kind::I32) => footer.integer().map(|number| columns = number),
            (_, kind) => footer.skip(kind),
        })?;

        while around.pop_if(|(to_come, _)| *to_come <= 0).is_some() {}
        if let Some((to_come, _)) = around.last_mut() {
            *to_come -= 1;
        }
        let path = around.last().map_or(0, |(_, path)| path + name);
        paths = paths.saturating_add(path);
        around.push((columns, path));
        if around.len() > MAX_DEPTH || paths > MAX_PATHS {
            verdict = Err(FooterError::TooDeep);
        }
    }
    Some(verdict)
}
