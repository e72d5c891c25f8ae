import { setFlagsFromString } from 'node:v8'

// Most of what a start makes stays, and V8 takes that for a reason to enlarge the young generation: 6 MB that a
// gateway at rest would keep. Loaded before all else; boundHeap lets it grow again.
setFlagsFromString('--semi-space-growth-factor=1')
