import { bundleOperation } from './bundle.ts'
import { healthOperation } from './health.ts'

/** What says how the gateway itself fares. */
export const diagnosticsOperations = [healthOperation, bundleOperation] as const
