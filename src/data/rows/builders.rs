//! Builds the typed columns of rows, value by value.

use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int8Builder, ListBuilder, StringBuilder, UInt64Builder};
use arrow_array::types::Int8Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field};

use super::Kind;

/// The fields of one column since the last batch.
#[derive(Debug)]
pub(super) enum ColumnBuilder {
    Number(UInt64Builder),
    Decimal(Float64Builder),
    Text(TextBuilder),
    Name {
        names: Arc<StringArray>,
        keys: Int8Builder,
    },
    /// `text` is a buffer for one of the texts.
    Texts {
        lists: ListBuilder<StringBuilder>,
        text: Vec<u8>,
    },
    Numbers(ListBuilder<UInt64Builder>),
}

/// Concatenated texts.
#[derive(Debug)]
pub(super) struct TextBuilder {
    text: Vec<u8>,
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
    /// Instead of the fields above, as long as all texts are the expected ones.
    expected: Option<Expected>,
}

/// Texts that will probably be appended, in this order. If they are, they need not be copied: the puzzles of an Arrow
/// column take two fifths of the memory of the rows of `solve`.
#[derive(Debug)]
struct Expected {
    texts: StringArray,
    /// The number of expected texts that were appended.
    seen: usize,
}

impl ColumnBuilder {
    /// The type of the values of a kind.
    pub(super) fn data_type(kind: Kind) -> DataType {
        match kind {
            Kind::Number => DataType::UInt64,
            Kind::Decimal => DataType::Float64,
            Kind::Text | Kind::Counts => DataType::Utf8,
            Kind::Name(_) => DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
            Kind::Texts => DataType::new_list(DataType::Utf8, false),
            Kind::Numbers => DataType::new_list(DataType::UInt64, true),
        }
    }

    /// A column without values.
    pub(super) fn new(kind: Kind) -> ColumnBuilder {
        match kind {
            Kind::Number => ColumnBuilder::Number(UInt64Builder::new()),
            Kind::Decimal => ColumnBuilder::Decimal(Float64Builder::new()),
            Kind::Text | Kind::Counts => ColumnBuilder::Text(TextBuilder::new()),
            Kind::Name(names) => {
                let names = Arc::new(StringArray::from_iter_values(names));
                ColumnBuilder::Name { names, keys: Int8Builder::new() }
            }
            Kind::Texts => {
                let item = Field::new_list_field(DataType::Utf8, false);
                ColumnBuilder::Texts { lists: ListBuilder::new(StringBuilder::new()).with_field(item), text: vec![] }
            }
            Kind::Numbers => ColumnBuilder::Numbers(ListBuilder::new(UInt64Builder::new())),
        }
    }

    /// Sets the texts that the next batch will probably have.
    pub(super) fn expect_texts(&mut self, texts: Option<StringArray>) {
        let ColumnBuilder::Text(builder) = self else { panic!("the column has no texts") };
        builder.expected = texts.map(|texts| Expected { texts, seen: 0 });
    }

    /// Appends a number.
    ///
    /// # Panics
    ///
    /// If the column has another type. This holds for all methods that append.
    #[inline]
    pub(super) fn number(&mut self, number: u64) {
        let ColumnBuilder::Number(numbers) = self else { panic!("the column has no numbers") };
        numbers.append_value(number);
    }

    /// Appends a decimal number.
    pub(super) fn decimal(&mut self, number: f64) {
        let ColumnBuilder::Decimal(numbers) = self else { panic!("the column has no decimals") };
        numbers.append_value(number);
    }

    /// Appends a null. In a column of lists, appends an empty list.
    #[inline]
    pub(super) fn null(&mut self) {
        match self {
            ColumnBuilder::Number(numbers) => numbers.append_null(),
            ColumnBuilder::Decimal(numbers) => numbers.append_null(),
            ColumnBuilder::Text(texts) => texts.push_null(),
            ColumnBuilder::Name { keys, .. } => keys.append_null(),
            ColumnBuilder::Texts { lists, .. } => lists.append(true),
            ColumnBuilder::Numbers(lists) => lists.append(true),
        }
    }

    /// Appends a text.
    #[inline]
    pub(super) fn text(&mut self, text: &[u8]) {
        self.text_with(|output| output.extend_from_slice(text));
    }

    /// Appends a text that `write` writes. It must be UTF-8.
    #[inline]
    pub(super) fn text_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let ColumnBuilder::Text(texts) = self else { panic!("the column has no texts") };
        texts.push_with(write);
    }

    /// Appends the name with this index.
    #[inline]
    pub(super) fn name(&mut self, index: usize) {
        let ColumnBuilder::Name { keys, .. } = self else { panic!("the column has no names") };
        keys.append_value(index as i8);
    }

    /// Appends a list of texts, each written by a function.
    pub(super) fn texts(&mut self, texts: impl Iterator<Item = impl FnOnce(&mut Vec<u8>)>) {
        let ColumnBuilder::Texts { lists, text } = self else { panic!("the column has no lists of texts") };
        for write in texts {
            text.clear();
            write(text);
            lists.values().append_value(str::from_utf8(text).expect("rows are text"));
        }
        lists.append(true);
    }

    /// Appends a list of numbers.
    pub(super) fn numbers(&mut self, numbers: impl Iterator<Item = Option<u64>>) {
        let ColumnBuilder::Numbers(lists) = self else { panic!("the column has no lists of numbers") };
        lists.append_value(numbers);
    }

    /// The values since the last batch.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            ColumnBuilder::Number(numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Decimal(numbers) => Arc::new(numbers.finish()),
            ColumnBuilder::Text(texts) => Arc::new(texts.finish()?),
            ColumnBuilder::Name { names, keys } => {
                Arc::new(DictionaryArray::<Int8Type>::try_new(keys.finish(), Arc::<StringArray>::clone(names))?)
            }
            ColumnBuilder::Texts { lists, .. } => Arc::new(lists.finish()),
            ColumnBuilder::Numbers(lists) => Arc::new(lists.finish()),
        })
    }
}

impl TextBuilder {
    fn new() -> TextBuilder {
        TextBuilder { text: vec![], ends: vec![0], nulls: NullBufferBuilder::new(0), expected: None }
    }

    /// Appends a text that `write` writes. It must be UTF-8.
    #[inline]
    fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        if let Some(expected) = &mut self.expected {
            write(&mut self.text);
            if expected.is_next(&self.text) {
                self.text.clear();
                return;
            }
            let text = std::mem::take(&mut self.text);
            self.write_expected();
            self.text.extend_from_slice(&text);
        } else {
            write(&mut self.text);
        }
        self.end();
        self.nulls.append_non_null();
    }

    fn push_null(&mut self) {
        if self.expected.is_some() {
            self.write_expected();
        }
        self.end();
        self.nulls.append_null();
    }

    /// Copies the expected texts so far, because the next text is not the expected one.
    #[cold]
    fn write_expected(&mut self) {
        let Some(Expected { texts, seen }) = self.expected.take() else { return };
        for row in 0..seen {
            self.push_with(|output| output.extend_from_slice(texts.value(row).as_bytes()));
        }
    }

    fn end(&mut self) {
        let end = i32::try_from(self.text.len()).expect("the texts of a chunk have less than 2 GiB");
        self.ends.push(end);
    }

    fn finish(&mut self) -> Result<StringArray, ArrowError> {
        if let Some(Expected { texts, seen }) = self.expected.take() {
            return Ok(texts.slice(0, seen));
        }
        let (text, ends) = (take(&mut self.text), take(&mut self.ends));
        self.ends.push(0);
        StringArray::try_new(OffsetBuffer::new(ends.into()), text.into(), self.nulls.finish())
    }
}

impl Expected {
    /// Whether a text is the next expected one. If so, counts it.
    fn is_next(&mut self, text: &[u8]) -> bool {
        let row = self.seen;
        let is_next = row < self.texts.len() && self.texts.is_valid(row) && self.texts.value(row).as_bytes() == text;
        self.seen += usize::from(is_next);
        is_next
    }
}

/// Takes the values of a batch, and reserves the same memory for the next batch, which will hardly differ in length.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let capacity = values.len();
    std::mem::replace(values, Vec::with_capacity(capacity))
}

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// A column has the appended texts, whether they were expected or not.
        #[test]
        fn expected_texts_change_nothing(
            rows in proptest::collection::vec((proptest::option::of("[ab]?"), 0..8_u8), 0..6),
            missing in 0..2_usize,
        ) {
            let texts: Vec<Option<String>> = rows.iter().map(|(text, _)| text.clone()).collect();
            let expected = rows.iter().map(|(text, other)| if *other == 0 { Some("b".to_owned()) } else { text.clone() });
            let expected: StringArray = expected.skip(missing).collect();

            let mut column = ColumnBuilder::new(Kind::Text);
            // The second batch expects nothing, the third the same as the first.
            for expected in [Some(&expected), None, Some(&expected)] {
                column.expect_texts(expected.cloned());
                for text in &texts {
                    match text {
                        Some(text) => column.text(text.as_bytes()),
                        None => column.null(),
                    }
                }
                let array = column.finish().unwrap();
                let array = array.as_string::<i32>();
                prop_assert_eq!(array, &texts.iter().cloned().collect::<StringArray>());
            }
        }
    }

    #[test]
    fn texts_that_were_expected_are_not_copied() {
        let expected = StringArray::from(vec!["a", "b", "c"]);
        let mut column = ColumnBuilder::new(Kind::Text);
        column.expect_texts(Some(expected.clone()));
        for text in ["a", "b"] {
            column.text(text.as_bytes());
        }
        let array = column.finish().unwrap();
        let array = array.as_string::<i32>();
        assert_eq!(array, &expected.slice(0, 2));
        assert!(std::ptr::eq(array.value_data(), expected.value_data()));
    }
}
