import { z } from 'zod'

/** A code as it was typed: of the app, or a backup code. */
export const codeText = z.string().min(1, 'is missing').max(100)
