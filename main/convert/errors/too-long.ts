import type { GatewayError } from '../../base/errors.ts'

/** How Anthropic and Google say it; neither has a code for it. */
const WORDS = /prompt is too long|input token count\b.{0,100}\bexceeds/i

/**
 * Does a vendor refuse the call because it does not fit the model's context? Agents shorten the conversation
 * then, each by the words of its own vendor.
 */
export const isTooLong = ({ vendorCode, message }: GatewayError): boolean =>
  vendorCode === 'context_length_exceeded' || (vendorCode !== undefined && WORDS.test(message))
