/** Every status that a vendor of ours refuses a call with. */
export const errorStatuses = [
  400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 501, 503, 504, 529,
] as const

/** A refusal of the channel's key is the owner's to mend: a 401 would blame the client's own. */
export const statusSeen = (status: number): number =>
  status === 401 || status === 403 ? 502 : status
