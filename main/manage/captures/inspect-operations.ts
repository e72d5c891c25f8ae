import { captureBodyOperations } from './capture-bodies.ts'
import { captureComparisonOperations } from './capture-comparisons.ts'
import { captureExportOperations } from './capture-exports.ts'
import { captureFormatOperations } from './capture-formats.ts'

/** Operations that read captures; none changes one. */
export const inspectOperations = [
  ...captureBodyOperations,
  ...captureComparisonOperations,
  ...captureFormatOperations,
  ...captureExportOperations,
] as const
