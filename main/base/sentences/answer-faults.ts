import { type CodedText, type CodedValues, englishText, type PlainValue } from './coded-texts.ts'

/** Faults of an upstream’s answer, worded to follow its name; values go in the place of their names. */
export const answerFaults = {
  answer_missing: 'is missing',
  answer_no_json: 'isn’t JSON',
  answer_no_object: 'is no object',
  answer_broken: 'is broken',
  answer_is_error: 'is an error: {{said}}',
  answer_cut_off: 'was cut off',
  answer_too_long: 'is too long',
  answer_above_limit: 'is larger than {{mebibytes}} MiB',
  answer_no_choices: 'has no choices',
  answer_choice_empty: 'has a choice without a message',
  answer_choice_number: 'has a choice with the index {{index}}, where 127 is the highest allowed',
  answer_no_candidate: 'holds no candidate',
  answer_no_message: 'isn’t an Anthropic message: it has no content',
  answer_no_response: 'isn’t a response of OpenAI’s Responses format',
  answer_call_nameless: 'calls a tool without saying which ({{place}})',
  answer_part_unreadable: 'has a part that cannot be read',
  answer_part_long: 'has a part that is too long to convert',
  answer_part_unbegun: 'goes on with a part that was never begun',
  answer_no_events: 'is no stream of events',
  answer_event_no_json: 'holds an event that is no JSON',
  answer_embeddings_other_count: 'has {{count}} embeddings for {{inputs}} inputs',
  answer_embeddings_other_length:
    'has vectors of {{length}} dimensions, where {{field}} asks for {{wanted}}',
  answer_embedding_twice: 'has two embeddings of the index {{index}}',
  answer_embedding_missing: 'lacks the embedding of the index {{index}}',
  answer_embedding_unreadable: 'has an embedding that cannot be read',
  answer_no_results: 'holds no results',
  answer_unsent_document: 'has a result for a document that was not sent',
  answer_document_unscored: 'has no score for document {{index}}',
  answer_document_twice: 'ranks a document twice',
  answer_no_sound: 'holds no sound',
  answer_wav_without_sound: 'is a WAV file without sound',
  answer_events_not_sound: 'is a stream of events, and not the sound that was asked for',
  answer_packed_sound: 'is packed sound, and not the PCM that was asked for',
  answer_other_sound: 'is sound in another form than 16 bits and one channel',
} as const

/** The codes of all faults, with the values in them. */
export type AnswerSentences = CodedValues<typeof answerFaults, PlainValue>

/** A fault by its code, with its values where it has some. */
export type AnswerFault = CodedText<AnswerSentences>

/** In English. */
export const answerText = (fault: AnswerFault): string => englishText(answerFaults, fault)
