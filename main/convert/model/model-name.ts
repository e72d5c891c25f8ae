const claudeTiers = 'opus|sonnet|haiku|fable|mythos'
/** `claude-3-5-sonnet`, `claude-4.5-sonnet`. */
const versionFirst = new RegExp(`claude-?(\\d{1,2})(?:[-.](\\d{1,2}))?-(${claudeTiers})`)
/** `claude-sonnet-4-5`, `claude-opus-4.6`, `claude-fable-5`; not the date in `claude-sonnet-4-20250514`. */
const tierFirst = new RegExp(
  `claude-?(${claudeTiers})-?(\\d{1,2})(?:[-.](\\d{1,2})(?!\\d))?(?![\\d.])`,
)

/**
 * A model's name as vendors and resellers spell it, in one spelling: lower case, without the paths, regions,
 * dates, versions of a deployment and tags around it. Claude becomes `claude-<tier>-<major>-<minor>`, or
 * `claude-<tier>` where no version is named.
 */
export function modelName(name: string): string {
  const bare = name
    .trim()
    .toLowerCase()
    // `[1m]`: Claude Code's wish for a long context. `:free`, `:0`, `@20250929`, `@default`: resellers' tags.
    // A name may be a caller's or a vendor's own, as long as it likes: no pattern looks twice at a character.
    .replace(/\[[^[\]]*\]$/, '')
    // `anthropic/claude-…`, `models/gemini-…`, `accounts/fireworks/models/…`.
    .replace(/^.*\//, '')
    .replace(/[:@].*$/s, '')
    // Amazon Bedrock: `us.anthropic.claude-…`.
    .replace(/^(?:us|eu|apac|global|jp|au|ca|us-gov)\./, '')
    .replace(/^(?:anthropic|amazon|meta|mistral|openai|qwen|moonshot|google|zai|minimax|xai)\./, '')
  if (!bare.includes('claude')) return bare.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2})$/, '')
  const [, major, minor, tier] = versionFirst.exec(bare) ?? []
  if (tier !== undefined) return `claude-${tier}-${major}-${minor ?? '0'}`
  const [, newTier, newMajor, newMinor] = tierFirst.exec(bare) ?? []
  if (newTier !== undefined) return `claude-${newTier}-${newMajor}-${newMinor ?? '0'}`
  return bare
}

/** Characters of a vendor's name for a model: the ledger's row of the call keeps it. */
const LONGEST = 300

/** The name of a model in a vendor's answer; undefined for none, and for one without end. */
export function asModelName(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST ? value : undefined
}
