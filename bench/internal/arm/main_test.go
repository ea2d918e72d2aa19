package arm

import (
	"testing"

	"gpureactor/internal/testmain"
	"gpureactor/internal/testmain/pages"
)

func TestMain(m *testing.M) { testmain.Main(m, pages.Check()) }
