package report

import (
	"encoding/json"
	"io"
)

// Schema is the version of the JSON. A field that is added keeps it; one that
// goes or changes its meaning raises it.
const Schema = 1

// A Document is a whole report.
type Document struct {
	Schema  int     `json:"schema"`
	Machine Machine `json:"machine"`
	Rows    []Row   `json:"rows"`
}

// WriteJSON writes the report with a newline at its end. No rows are an empty
// list.
func WriteJSON(w io.Writer, m Machine, rows []Row) error {
	if rows == nil {
		rows = []Row{}
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(Document{Schema, m, rows})
}
