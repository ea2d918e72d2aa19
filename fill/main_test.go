package fill_test

import (
	"testing"

	"gpureactor/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Main(m) }
