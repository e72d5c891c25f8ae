import { bundleOperation } from './bundle.ts'
import { healthOperation } from './health.ts'

/** Operations about the gateway's own health. */
export const diagnosticsOperations = [healthOperation, bundleOperation] as const
