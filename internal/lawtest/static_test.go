package lawtest

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDefaultPathLinksStatically builds the example for Linux, on whatever system
// the test runs.
func TestDefaultPathLinksStatically(t *testing.T) {
	for _, processor := range []string{"amd64", "arm64"} {
		t.Run(processor, func(t *testing.T) {
			binary := filepath.Join(t.TempDir(), "await")
			build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "./examples/await")
			build.Dir = modulePath
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+processor)
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			found, err := Static(binary)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range found {
				t.Error(v)
			}
		})
	}
}

func TestDynamicBinaryIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		interpreter, library bool
		want                 string
	}{
		"static":      {},
		"interpreter": {interpreter: true, want: "it asks for an interpreter"},
		"library":     {library: true, want: "it needs libc.so.6"},
		"both":        {interpreter: true, library: true, want: "it asks for an interpreter, it needs libc.so.6"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "binary")
			if err := os.WriteFile(file, makeELF(test.interpreter, test.library), 0o600); err != nil {
				t.Fatal(err)
			}
			found, err := Static(file)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, v := range found {
				got = append(got, v.What)
			}
			if s := strings.Join(got, ", "); s != test.want {
				t.Errorf("faults %q, want %q", s, test.want)
			}
		})
	}
}

func TestWhatIsNoBinaryIsAnError(t *testing.T) {
	if _, err := Static("static_test.go"); err == nil {
		t.Error("Static read a source file")
	}
}

// makeELF returns the least of a binary that the questions can be asked of: one
// program header, and a dynamic section with its string table.
func makeELF(interpreter, library bool) []byte {
	const (
		headSize, progSize, sectSize = 64, 56, 64
		names                        = "\x00libc.so.6\x00"
		progAt                       = headSize
		sectAt                       = progAt + progSize
		namesAt                      = sectAt + 3*sectSize
		dynamicAt                    = namesAt + len(names)
	)
	head := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1,
		Phoff: progAt, Shoff: sectAt, Ehsize: headSize, Phentsize: progSize, Phnum: 1, Shentsize: sectSize, Shnum: 3, Shstrndx: 1}
	copy(head.Ident[:], elf.ELFMAG+"\x02\x01\x01")
	prog := elf.Prog64{Type: uint32(elf.PT_LOAD)}
	if interpreter {
		prog.Type = uint32(elf.PT_INTERP)
	}
	dynamic := []elf.Dyn64{{Tag: int64(elf.DT_NULL)}}
	if library {
		dynamic = []elf.Dyn64{{Tag: int64(elf.DT_NEEDED), Val: 1}, {Tag: int64(elf.DT_NULL)}}
	}
	var b bytes.Buffer
	for _, part := range []any{head, prog,
		elf.Section64{},
		elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: namesAt, Size: uint64(len(names))},
		elf.Section64{Type: uint32(elf.SHT_DYNAMIC), Off: uint64(dynamicAt), Size: uint64(16 * len(dynamic)), Link: 1, Entsize: 16},
		[]byte(names), dynamic} {
		if err := binary.Write(&b, binary.LittleEndian, part); err != nil {
			panic("BUG: " + err.Error())
		}
	}
	return b.Bytes()
}
