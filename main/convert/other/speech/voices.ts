/** Google's prebuilt voices: https://ai.google.dev/gemini-api/docs/speech-generation#voices */
const GOOGLE_VOICES =
  'Zephyr Puck Charon Kore Fenrir Leda Orus Aoede Callirrhoe Autonoe Enceladus Iapetus Umbriel Algieba Despina Erinome Algenib Rasalgethi Laomedeia Achernar Alnilam Schedar Gacrux Pulcherrima Achird Zubenelgenubi Vindemiatrix Sadachbia Sadaltager Sulafat'.split(
    ' ',
  )

/**
 * Voices of OpenAI (https://platform.openai.com/docs/guides/text-to-speech#voice-options) and those of
 * Google's that come nearest in pitch and manner.
 */
const googleOf = new Map(
  Object.entries({
    alloy: 'Kore',
    ash: 'Orus',
    ballad: 'Umbriel',
    cedar: 'Charon',
    coral: 'Aoede',
    echo: 'Iapetus',
    fable: 'Puck',
    marin: 'Sulafat',
    nova: 'Zephyr',
    onyx: 'Algenib',
    sage: 'Erinome',
    shimmer: 'Leda',
    verse: 'Achird',
  }),
)

/** Google's voices by those of OpenAI's that every one of its speech models has. */
const googleVoicesOf: Readonly<Record<string, string>> = {
  alloy: 'Kore Alnilam Schedar Gacrux',
  echo: 'Iapetus Orus Achird Enceladus Umbriel Zubenelgenubi Sadachbia',
  fable: 'Puck Fenrir Rasalgethi Sadaltager',
  nova: 'Zephyr Aoede Autonoe Laomedeia Pulcherrima Sulafat Callirrhoe',
  onyx: 'Algenib Charon Algieba',
  shimmer: 'Leda Erinome Despina Achernar Vindemiatrix',
}

const openaiOf = new Map(
  Object.entries(googleVoicesOf).flatMap(([voice, names]) =>
    names.split(' ').map((name) => [name.toLowerCase(), voice] as const),
  ),
)

/** A voice's name at Google: its own, in any case, or the one that stands for a voice of OpenAI's. */
export function googleVoice(name: string): string | undefined {
  const lower = name.toLowerCase()
  return GOOGLE_VOICES.find((voice) => voice.toLowerCase() === lower) ?? googleOf.get(lower)
}

/** The voice of OpenAI's that stands for one of Google's; undefined for any other name. */
export const openaiVoice = (name: string): string | undefined => openaiOf.get(name.toLowerCase())

/** All names that `googleVoice` knows, for a refusal. */
export const voiceList = (): string => [...googleOf.keys(), ...GOOGLE_VOICES].join(', ')
