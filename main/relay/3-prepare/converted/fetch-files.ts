import { GatewayError } from '../../../base/errors.ts'
import {
  type AddressedMedia,
  type FetchedMedia,
  MediaFiles,
} from '../../../convert/media/addressed-media.ts'
import { readFetched, wrongLabel } from '../../../convert/media/fetched-media.ts'
import { FetchFailure } from '../../../upstream/fetch-failure.ts'
import type { UserFetch } from '../../../upstream/user-fetch.ts'
import type { Call } from '../../call/call.ts'
import type { BodyMemory } from '../../limits/body-memory.ts'

/** Bytes of one file, and of all files of a call. */
const FILE_LIMIT = 20_000_000
const CALL_LIMIT = 50_000_000
/** Milliseconds for all of them together. */
const TIME_LIMIT = 20_000
/** Files of a call; as many images as Anthropic takes in one. */
const MOST_FILES = 100
const AT_ONCE = 4

/** Fetches files, and counts what bodies take in memory. */
export interface FileServices {
  userFetch: UserFetch
  bodies: BodyMemory
}

/** Files fetched for a call, so that they are not fetched again for its next channel. */
interface FilesOfCall {
  shared: { left: number }
  /** By kind and address. */
  outcomes: Map<string, FetchedMedia | GatewayError>
  /** Bytes counted with those of all running calls. */
  held: number
}

/** By the body, which a call keeps under every model that it is asked by. */
const known = new WeakMap<Call['body'], FilesOfCall>()

function filesOf(call: Call): FilesOfCall {
  let files = known.get(call.body)
  if (!files) {
    files = { shared: { left: CALL_LIMIT }, outcomes: new Map(), held: 0 }
    known.set(call.body, files)
  }
  return files
}

/** A call's files count like a body until it is booked: a few bytes of text may name 50 MB. */
function countFiles(files: FilesOfCall, { bodies }: Pick<FileServices, 'bodies'>): void {
  const size = CALL_LIMIT - files.shared.left
  bodies.hold(size - files.held)
  files.held = size
}

/** The call is over, and nobody needs its files any more. */
export function releaseFiles(call: Call, { bodies }: Pick<FileServices, 'bodies'>): void {
  const files = known.get(call.body)
  if (!files) return
  known.delete(call.body)
  bodies.release(files.held)
}

const refusal = (path: string, why: string): GatewayError =>
  new GatewayError('invalid_request', {
    message: `${path}: could not be fetched for an upstream that takes no such address: ${why}. Send the file as data (base64).`,
    reason: { code: 'file_unfetchable', field: path, problem: why },
    field: path,
  })

async function fetchFile(
  file: AddressedMedia,
  { shared, until, signal }: { shared: { left: number }; until: number; signal: AbortSignal },
  { userFetch }: FileServices,
): Promise<FetchedMedia | GatewayError> {
  try {
    const fetched = await userFetch.fetch({
      url: file.url,
      audience: 'anyone',
      timeLimit: Math.max(1, until - performance.now()),
      sizeLimit: FILE_LIMIT,
      shared,
      wrongType: (contentType) => wrongLabel(file, contentType),
      signal,
    })
    const read = readFetched(file, fetched)
    return typeof read === 'string' ? refusal(file.path, read) : read
  } catch (error) {
    if (error instanceof FetchFailure) return refusal(file.path, error.message)
    throw error
  }
}

/**
 * Fetches the files that a call names by URL and that its upstream takes as data only: a few at a time, each
 * once however many channels are tried, within 20 seconds; at most 20 MB each and 50 MB together. Throws
 * `invalid_request` naming the URL's place for one that cannot be had, and what a call was cancelled with.
 */
export async function fetchFiles(
  call: Call,
  wanted: readonly AddressedMedia[],
  services: FileServices,
): Promise<MediaFiles> {
  if (wanted.length > MOST_FILES) {
    throw refusal(wanted[MOST_FILES]?.path ?? '', `a call may name ${MOST_FILES} files by URL`)
  }
  const ofCall = filesOf(call)
  const { shared, outcomes } = ofCall
  const controller = new AbortController()
  const until = performance.now() + TIME_LIMIT
  const files = new MediaFiles()
  const left = wanted.values()
  const work = async (): Promise<void> => {
    for (const file of left) {
      if (services.bodies.isFull) throw services.bodies.refusal()
      const key = `${file.kind} ${file.url}`
      const outcome =
        outcomes.get(key) ??
        (await fetchFile(file, { shared, until, signal: controller.signal }, services))
      outcomes.set(key, outcome)
      countFiles(ofCall, services)
      if (outcome instanceof GatewayError) throw outcome
      files.set(file, outcome)
    }
  }
  call.cancellation.listen((reason) => controller.abort(reason))
  try {
    const workers = Array.from({ length: Math.min(AT_ONCE, wanted.length) }, work)
    await Promise.all(workers)
  } finally {
    call.cancellation.listen(null)
    // The others are not needed where one has failed.
    controller.abort(new GatewayError('client_gone', { message: 'The files are not needed.' }))
  }
  return files
}
