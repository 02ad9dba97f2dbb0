use std::collections::BTreeSet;

use kernel::value::Value;

use super::super::Data;
use crate::types::Records;

const TABLE: &str = r#"[Table(id: "club.arms.guns", key: [("gun", "text"), ("class", "integer 1..5")],
    columns: [("close", "length"), ("kind", "light|heavy?"), ("note", "text"), ("fits", "list(text)?")],
    rows: "guns.csv")]"#;

fn read(sheet: &str) -> Result<String, Vec<String>> {
    let files = [("data/arms.ron", TABLE), ("data/guns.csv", sheet)];
    let words = |faults: Vec<kernel::error::Fault>| {
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let data = Data::read("club", files.into_iter()).map_err(words)?;
    let active = BTreeSet::from(["club.arms.late".into()]);
    let (table, faults) = data.tables[0].build(&Records::new(), &active);
    if !faults.is_empty() {
        return Err(words(faults));
    }
    let cell = |value: &Value| match value {
        Value::Text(text) => text.to_string(),
        value => crate::types::write_value(value, &kernel::world::NoEntities),
    };
    let row = |(key, row): (&[_], &super::super::table::TableRow)| {
        let all: Vec<String> = key.iter().chain(&row.cells).map(cell).collect();
        format!("{}\n", all.join(" | "))
    };
    Ok(table.rows().map(row).collect())
}

fn faults(sheet: &str) -> Vec<String> {
    read(sheet).expect_err("it should fail")
}

#[test]
fn rows_stand_in_a_sheet_as_a_spreadsheet_writes_it() {
    let sheet = "gun,class,close,kind,fits,note\r\n\
                 RFAC,1,8in,light,,\r\n\
                 \r\n\
                 ,,,,,\r\n\
                 \"HEL, \"\"long\"\"\",2,\"12in\",heavy,\"[\"\"tank\"\", \"\"gun\"\"]\",\"two\r\nlines\"\r\n";
    assert_eq!(
        read(sheet).unwrap(),
        "HEL, \"long\" | 2 | 12in | heavy | two\r\nlines | [tank,gun]\nRFAC | 1 | 8in | light |  | nil\n"
    );
    let semicolons = "class;gun;close;kind;note;fits\n1;RFAC;8in;;a, b;\n";
    assert_eq!(
        read(semicolons).unwrap(),
        "RFAC | 1 | 8in | nil | a, b | nil\n"
    );
}

#[test]
fn a_row_of_a_sheet_may_have_clauses_of_its_own() {
    let sheet = "gun,class,close,kind,note,fits,cites\nA,1,8in,,,,club.arms.late\nB,1,8in,,,,club.arms.early\n";
    assert_eq!(read(sheet).unwrap(), "A | 1 | 8in | nil |  | nil\n");
}

#[test]
fn everything_wrong_in_a_sheet_is_told_by_its_cell() {
    let sheet = "gun,class,clsoe,kind,note,fits\n\
                 RFAC,one,8in,light,,\n\
                 HEL,7,9,lihgt,,\n";
    assert_eq!(
        faults(sheet),
        [
            "fault F022 in mod `club`, data/guns.csv:2:6: `class` of table `club.arms.guns`: expected integer 1..5, found `one`",
            "fault F025 in mod `club`, data/guns.csv:1:11: expected a column of table `club.arms.guns`, found `clsoe`\n  hint: did you mean `close`?",
            "fault F022 in mod `club`, data/guns.csv:3:5: `class` of table `club.arms.guns`: expected integer 1..5, found `7`",
            "fault F022 in mod `club`, data/guns.csv:3:9: `kind` of table `club.arms.guns`: expected light|heavy, found `lihgt`\n  hint: did you mean `light`?",
        ]
    );
}

#[test]
fn a_sheet_that_is_none_is_told_with_every_row() {
    let sheet = "gun,class,Close,gun\nRFAC,1,8in,light,far\nHEL,1\nDFFG,2,\"8in,x\n";
    assert_eq!(
        faults(sheet),
        [
            "fault F025 in mod `club`, data/guns.csv:1:11: expected the name of a column in the first row, found `Close`\n  hint: lower case letters, digits, `_`, as its table has it",
            "fault F025 in mod `club`, data/guns.csv:1:17: expected each column once, found `gun` twice\n  hint: leave one of them out",
            "fault F025 in mod `club`, data/guns.csv:2:18: expected 4 cells, as many as the first row has, found 5\n  hint: an empty cell keeps its comma; a text with a comma stands in quotes",
            "fault F025 in mod `club`, data/guns.csv:3:1: expected 4 cells, as many as the first row has, found 2\n  hint: an empty cell keeps its comma; a text with a comma stands in quotes",
            "fault F025 in mod `club`, data/guns.csv:4:8: expected `\"` to close a quote, found the end of the file\n  hint: a quote within quotes is written twice: `\"\"`",
        ]
    );
    assert_eq!(
        faults(""),
        [
            "fault F025 in mod `club`, data/guns.csv:1: expected the names of columns in the first row, found an empty file"
        ]
    );
}

#[test]
fn rows_that_are_none_do_not_hide_what_is_wrong_in_others() {
    let sheet = "gun,class,close,kind,note,fits\n\
                 RFAC,one,8in,light,,\n\
                 HEL,1\n\
                 DFFG,2,9,,,\n\
                 HKP,2,8in,,,,,\n";
    assert_eq!(
        faults(sheet),
        [
            "fault F025 in mod `club`, data/guns.csv:3:1: expected 6 cells, as many as the first row has, found 2\n  hint: an empty cell keeps its comma; a text with a comma stands in quotes",
            "fault F025 in mod `club`, data/guns.csv:5:14: expected 6 cells, as many as the first row has, found 8\n  hint: an empty cell keeps its comma; a text with a comma stands in quotes",
            "fault F022 in mod `club`, data/guns.csv:2:6: `class` of table `club.arms.guns`: expected integer 1..5, found `one`",
            "fault F022 in mod `club`, data/guns.csv:4:8: `close` of table `club.arms.guns`: expected length with its unit, such as `9in` or `9cm`, found `9`",
        ]
    );
}

#[test]
fn a_quote_that_is_closed_by_that_of_a_later_row_is_told() {
    let sheet = "gun,class,close,kind,note,fits\nRFAC,1,8in,,\"light,\nHEL,1,8in,,\"heavy\",\nDFFG,2,8in,,,\n";
    assert_eq!(
        faults(sheet),
        [
            "fault F025 in mod `club`, data/guns.csv:3:13: expected the end of a cell after the `\"` that closes it, found more\n  hint: a quote may be open since a row before; one within quotes is written twice: `\"\"`",
        ]
    );
}

#[test]
fn a_sheet_and_who_asks_for_it_belong_together() {
    let wrong = TABLE.replace("guns.csv", "gnus.csv");
    let files = [("data/arms.ron", &*wrong), ("data/guns.csv", "gun\n")];
    let faults = Data::read("club", files.into_iter()).unwrap_err();
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        faults,
        [
            "fault F025 in mod `club`, data/arms.ron:3:11: expected a file `data/gnus.csv` with rows, found none\n  hint: did you mean `guns.csv`?"
        ]
    );
    let files = [("data/guns.csv", "gun\n")];
    let faults = Data::read("club", files.into_iter()).unwrap_err();
    assert_eq!(
        faults[0].to_string(),
        "fault F025 in mod `club`, data/guns.csv: expected a `Table` or `Amend` with the rows of `guns.csv`, found none\n  hint: `rows: \"guns.csv\"` in a `Table`, `add: \"guns.csv\"` in an `Amend`"
    );
}

/// Neither a place nor the number of a row is counted from the start again: by
/// the square of the rows this would take minutes.
#[test]
fn a_hundred_thousand_rows_are_read() {
    let rows = |n: usize| format!("G{n},1,6in,light,,\n");
    let sheet: String = std::iter::once("gun,class,close,kind,fits,note\n".to_string())
        .chain((0..100_000).map(rows))
        .collect();
    let read = read(&sheet).unwrap();
    assert_eq!(read.lines().count(), 100_000);
    let broken = sheet + "G0,9,6in,light,,\n";
    let found = faults(&broken);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("guns.csv:100002:4"), "{found:?}");
}
