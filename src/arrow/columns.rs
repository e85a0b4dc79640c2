//! Builds the typed columns of rows.

use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, DictionaryArray, Float64Array, Int8Array, ListArray, RecordBatch, StringArray, UInt64Array,
};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

/// The type of a column of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnType {
    /// Numbers that are not negative.
    Number,
    /// Numbers with digits after the point.
    Decimal,
    /// Texts.
    Text,
    /// One of these names.
    Name(&'static [&'static str]),
    /// Lists of texts.
    Texts,
}

impl ColumnType {
    fn data_type(self) -> DataType {
        match self {
            ColumnType::Number => DataType::UInt64,
            ColumnType::Decimal => DataType::Float64,
            ColumnType::Text => DataType::Utf8,
            ColumnType::Name(_) => DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8)),
            ColumnType::Texts => DataType::new_list(DataType::Utf8, false),
        }
    }
}

/// Whether a column has values for all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Values {
    /// It has.
    Required,
    /// It may have nulls.
    Optional,
}

/// The columns of rows, which are appended to field by field: a row is complete when each column got its field.
#[derive(Debug)]
pub(crate) struct RowColumns {
    schema: SchemaRef,
    columns: Vec<ColumnBuilder>,
}

/// The fields of one column since the last batch.
#[derive(Debug)]
pub(crate) enum ColumnBuilder {
    Number { values: Vec<u64>, nulls: NullBufferBuilder },
    Decimal { values: Vec<f64>, nulls: NullBufferBuilder },
    Text(TextBuilder),
    Name { names: Arc<StringArray>, keys: Vec<i8>, nulls: NullBufferBuilder },
    Texts { items: TextBuilder, ends: Vec<i32>, nulls: NullBufferBuilder },
}

/// Texts end to end.
#[derive(Debug)]
pub(crate) struct TextBuilder {
    text: Vec<u8>,
    ends: Vec<i32>,
    nulls: NullBufferBuilder,
}

/// The types of the columns of rows: those of gridmill, then those that are kept.
pub(crate) fn schema(columns: &[(&str, ColumnType, Values)], kept: Vec<Field>) -> SchemaRef {
    let field = |&(name, of_type, values): &(&str, ColumnType, Values)| {
        Field::new(name, of_type.data_type(), values == Values::Optional)
    };
    let own: Vec<Field> = columns.iter().map(field).collect();
    Arc::new(Schema::new(own.into_iter().chain(kept).collect::<Vec<_>>()))
}

impl RowColumns {
    /// Empty columns of a [`schema`]: those of gridmill have these types, the others follow as texts.
    pub(crate) fn new(schema: SchemaRef, own: &[ColumnType]) -> RowColumns {
        let of_type = |index| own.get(index).copied().unwrap_or(ColumnType::Text);
        let columns = (0..schema.fields().len()).map(|index| ColumnBuilder::new(of_type(index))).collect();
        RowColumns { schema, columns }
    }

    /// Empty columns.
    pub(crate) fn of(columns: &[(&str, ColumnType, Values)]) -> RowColumns {
        let types: Vec<ColumnType> = columns.iter().map(|&(_, of_type, _)| of_type).collect();
        RowColumns::new(schema(columns, vec![]), &types)
    }

    /// The builders of the columns, in order.
    pub(crate) fn columns(&mut self) -> &mut [ColumnBuilder] {
        &mut self.columns
    }

    /// The rows so far. `kept` are the last columns, if they come as they are, and not as texts.
    pub(crate) fn finish(&mut self, kept: Option<&RecordBatch>) -> Result<RecordBatch, ArrowError> {
        let kept = kept.map_or(&[][..], RecordBatch::columns);
        let own = self.columns.len() - kept.len();
        let built = self.columns[..own].iter_mut().map(ColumnBuilder::finish);
        let columns = built.chain(kept.iter().map(|column| Ok(Arc::clone(column))));
        // The inputs of a corpus may differ in the types of their columns.
        let of_schema = |(column, field): (Result<ArrayRef, ArrowError>, &Arc<Field>)| {
            let (column, to) = (column?, field.data_type());
            if column.data_type() == to {
                return Ok(column);
            }
            cast_with_options(&column, to, &CastOptions { safe: false, ..CastOptions::default() })
        };
        let columns = columns.zip(self.schema.fields()).map(of_schema).collect::<Result<_, _>>()?;
        RecordBatch::try_new(Arc::clone(&self.schema), columns)
    }
}

impl ColumnBuilder {
    fn new(of_type: ColumnType) -> ColumnBuilder {
        let nulls = NullBufferBuilder::new(0);
        match of_type {
            ColumnType::Number => ColumnBuilder::Number { values: vec![], nulls },
            ColumnType::Decimal => ColumnBuilder::Decimal { values: vec![], nulls },
            ColumnType::Text => ColumnBuilder::Text(TextBuilder::new()),
            ColumnType::Name(names) => {
                let names = Arc::new(StringArray::from_iter_values(names));
                ColumnBuilder::Name { names, keys: vec![], nulls }
            }
            ColumnType::Texts => ColumnBuilder::Texts { items: TextBuilder::new(), ends: vec![0], nulls },
        }
    }

    /// Appends a number.
    ///
    /// # Panics
    ///
    /// As all methods that append: if the column has another type.
    pub(crate) fn number(&mut self, number: Option<u64>) {
        let ColumnBuilder::Number { values, nulls } = self else { panic!("the column has no numbers") };
        values.push(number.unwrap_or_default());
        nulls.append(number.is_some());
    }

    /// Appends a number with digits after the point.
    pub(crate) fn decimal(&mut self, number: f64) {
        let ColumnBuilder::Decimal { values, nulls } = self else { panic!("the column has no decimals") };
        values.push(number);
        nulls.append_non_null();
    }

    /// Appends a null; in a column of lists, an empty one.
    pub(crate) fn null(&mut self) {
        match self {
            ColumnBuilder::Number { .. } => self.number(None),
            ColumnBuilder::Decimal { values, nulls } => {
                values.push(0.0);
                nulls.append_null();
            }
            ColumnBuilder::Text(_) => self.text(None),
            ColumnBuilder::Name { .. } => self.name(None),
            ColumnBuilder::Texts { .. } => self.texts(std::iter::empty::<fn(&mut Vec<u8>)>()),
        }
    }

    /// Appends a text.
    pub(crate) fn text(&mut self, text: Option<&[u8]>) {
        let ColumnBuilder::Text(texts) = self else { panic!("the column has no texts") };
        match text {
            Some(text) => texts.push_with(|output| output.extend_from_slice(text)),
            None => texts.push_null(),
        }
    }

    /// Appends a text that a function writes. It must be UTF-8.
    pub(crate) fn text_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let ColumnBuilder::Text(texts) = self else { panic!("the column has no texts") };
        texts.push_with(write);
    }

    /// Appends the name with this index.
    pub(crate) fn name(&mut self, index: Option<usize>) {
        let ColumnBuilder::Name { keys, nulls, .. } = self else { panic!("the column has no names") };
        keys.push(index.unwrap_or_default() as i8);
        nulls.append(index.is_some());
    }

    /// Appends a list of texts, each of which a function writes.
    pub(crate) fn texts(&mut self, texts: impl Iterator<Item = impl FnOnce(&mut Vec<u8>)>) {
        let ColumnBuilder::Texts { items, ends, nulls } = self else { panic!("the column has no lists") };
        for write in texts {
            items.push_with(write);
        }
        ends.push(i32::try_from(items.ends.len() - 1).expect("the lists of a chunk have less than 2^31 texts"));
        nulls.append_non_null();
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            ColumnBuilder::Number { values, nulls } => {
                Arc::new(UInt64Array::try_new(take(values).into(), nulls.finish())?)
            }
            ColumnBuilder::Decimal { values, nulls } => {
                Arc::new(Float64Array::try_new(take(values).into(), nulls.finish())?)
            }
            ColumnBuilder::Text(texts) => Arc::new(texts.finish()?),
            ColumnBuilder::Name { names, keys, nulls } => {
                let keys = Int8Array::try_new(take(keys).into(), nulls.finish())?;
                Arc::new(DictionaryArray::<Int8Type>::try_new(keys, Arc::<StringArray>::clone(names))?)
            }
            ColumnBuilder::Texts { items, ends, nulls } => {
                let DataType::List(item) = ColumnType::Texts.data_type() else { unreachable!("it is a list") };
                let offsets = OffsetBuffer::new(ScalarBuffer::from(std::mem::replace(ends, vec![0])));
                Arc::new(ListArray::try_new(item, offsets, Arc::new(items.finish()?), nulls.finish())?)
            }
        })
    }
}

impl TextBuilder {
    fn new() -> TextBuilder {
        TextBuilder { text: vec![], ends: vec![0], nulls: NullBufferBuilder::new(0) }
    }

    /// Appends a text that a function writes. It must be UTF-8.
    pub(crate) fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.text);
        self.end();
        self.nulls.append_non_null();
    }

    fn push_null(&mut self) {
        self.end();
        self.nulls.append_null();
    }

    fn end(&mut self) {
        let end = i32::try_from(self.text.len()).expect("the texts of a chunk have less than 2 GiB");
        self.ends.push(end);
    }

    fn finish(&mut self) -> Result<StringArray, ArrowError> {
        let (text, ends) = (take(&mut self.text), take(&mut self.ends));
        self.ends.push(0);
        StringArray::try_new(OffsetBuffer::new(ends.into()), text.into(), self.nulls.finish())
    }
}

/// Takes the values of a batch. As much memory is reserved for the next one, which will hardly differ in its length.
fn take<T>(values: &mut Vec<T>) -> Vec<T> {
    let capacity = values.len();
    std::mem::replace(values, Vec::with_capacity(capacity))
}
