import type { BridgeFile } from '../../../../main/convert/other/bridge.ts'
import type { Reply } from '../../upstreams/scripted-upstream.ts'
import type { Json } from '../requests/refusal.ts'

/** A request to an endpoint without conversations. */
export interface OtherRequest {
  /** The JSON body; of a form its text fields, the first of each name. */
  body: Json
  /** Text fields of a form, all of each name. */
  fields: Readonly<Record<string, readonly string[]>>
  /** Files of a form, in their order. */
  files: readonly BridgeFile[]
  /** The model of the path, where that has one, else of the body. */
  model: string
  /** The verb behind the colon of a Google path; else empty. */
  verb: string
}

/** One endpoint of a strict vendor. */
export interface OtherEndpoint {
  takes: 'json' | 'form'
  /** A right answer; throws a `Refusal` where the vendor refuses. */
  answer(request: OtherRequest): Reply
}

/** The endpoints of one vendor by their paths; `{model}:verb` stands for any model. */
export type OtherTable = Readonly<Record<string, OtherEndpoint>>
