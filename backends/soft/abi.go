package soft

// The statuses of the soft driver: what [port.Driver] carries in its errors.
const (
	StatusOutOfMemory   = 2
	StatusDeinitialized = 4
	StatusQueueFull     = 201
	StatusLaunchFailed  = 700
	StatusDeviceLost    = 701
	StatusTimeout       = 702
	StatusSettleFailed  = 703
	StatusUnknown       = 999
)

// StatusName returns the driver's name of a status, the name of StatusUnknown
// for one that the driver does not have.
func StatusName(status int64) string {
	switch status {
	case StatusOutOfMemory:
		return "SOFT_ERROR_OUT_OF_MEMORY"
	case StatusDeinitialized:
		return "SOFT_ERROR_DEINITIALIZED"
	case StatusQueueFull:
		return "SOFT_ERROR_QUEUE_FULL"
	case StatusLaunchFailed:
		return "SOFT_ERROR_LAUNCH_FAILED"
	case StatusDeviceLost:
		return "SOFT_ERROR_DEVICE_LOST"
	case StatusTimeout:
		return "SOFT_ERROR_TIMEOUT"
	case StatusSettleFailed:
		return "SOFT_ERROR_SETTLE_FAILED"
	}
	return "SOFT_ERROR_UNKNOWN"
}
