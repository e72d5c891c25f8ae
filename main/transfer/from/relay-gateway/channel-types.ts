/** Both programs number their vendors, alike up to 25 and apart above. */
export type Program = 'new-api' | 'one-api'

/** Our type, and an address where theirs has one that ours doesn't. */
export interface KnownType {
  type: number
  base_url: string | null
}

const own = (type: number): KnownType => ({ type, base_url: null })
const compatible = (base_url: string | null = null): KnownType => ({ type: 1, base_url })

/** Numbers that both have; relay/channeltype/define.go and constant/channel.go. */
const shared: Readonly<Record<number, KnownType>> = {
  1: own(1),
  3: own(3),
  6: compatible('https://api.openaimax.com'),
  7: compatible('https://api.ohmygpt.com'),
  8: own(8),
  9: compatible('https://api.caipacity.com'),
  10: compatible('https://api.aiproxy.io'),
  14: own(14),
  17: own(17),
  20: own(20),
  24: own(24),
  25: own(25),
  31: compatible('https://api.lingyiwanwu.com'),
}

const oneApi: Readonly<Record<number, KnownType>> = {
  4: compatible('https://api.closeai-proxy.xyz'),
  5: compatible('https://api.openai-sb.com'),
  26: compatible('https://api.baichuan-ai.com'),
  27: own(35),
  28: own(42),
  29: compatible('https://api.groq.com/openai/v1'),
  30: own(4),
  32: compatible('https://api.stepfun.com'),
  35: own(34),
  36: own(43),
  39: compatible('https://api.together.xyz/v1'),
  40: own(45),
  41: compatible('https://api.novita.ai/v3/openai'),
  44: own(40),
  45: own(48),
  47: own(46),
  48: compatible('https://spark-api-open.xf-yun.com/v1'),
  49: own(17),
  50: compatible(),
  51: compatible('https://generativelanguage.googleapis.com/v1beta/openai'),
}

/** new-api's numbers are ours where we have the type; above 57 as its forks agree. */
const newApi: Readonly<Record<number, KnownType>> = {
  4: own(4),
  19: compatible('https://api.360.cn/v1'),
  26: own(26),
  27: own(27),
  34: own(34),
  35: own(35),
  38: own(38),
  40: own(40),
  42: own(42),
  43: own(43),
  44: compatible('https://api.moka.ai'),
  45: own(45),
  46: own(46),
  47: own(47),
  48: own(48),
  53: own(53),
  60: compatible(),
  62: compatible(),
  63: compatible(),
}

/** Null for a vendor that no channel type is for. */
export const typeOf = (program: Program, number: number): KnownType | null =>
  shared[number] ?? (program === 'one-api' ? oneApi : newApi)[number] ?? null
