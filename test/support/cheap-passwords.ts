import { passwordCost } from '../../main/base/password.ts'

// A setup file (vite.config.ts): a hash at its true cost takes a hundred times as long, and none of the
// tests of this process is about that.
passwordCost.log2 = 8
