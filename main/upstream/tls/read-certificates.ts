import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import type { Reason, Sentence } from '../../base/reason.ts'

/** Why certificates cannot be used, as a sentence that names the option. */
export class WrongCertificates extends Error {
  readonly reason: Reason

  constructor({ message, reason }: Sentence, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** Bytes of a file: ten times what a system's whole list of authorities takes. */
const LONGEST_FILE = 2_000_000

const BEGIN = '-----BEGIN CERTIFICATE-----'
const block = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g

const isPem = (text: string): boolean => text.includes('-----BEGIN ')

/** Is it the path of a file, and not the certificates themselves? */
export const isCertificatePath = (setting: string): boolean =>
  setting.trim() !== '' && !isPem(setting)

/** The common name of a subject or issuer, else all of it. */
const nameOf = (who: string): string =>
  /(?:^|\n)CN=(.+)/.exec(who)?.[1] ?? who.replaceAll('\n', ', ')

/** The certificates that are not valid any more, by name and last day, as they are told. */
export const expiredOf = (certificates: readonly X509Certificate[]): string[] =>
  certificates
    .map((one) => ({ one, end: new Date(one.validTo) }))
    .filter(({ end }) => end.getTime() < Date.now())
    .map(({ one, end }) => `${nameOf(one.subject)} (until ${end.toISOString().slice(0, 10)})`)

/** Source of the certificates, at the beginning of a sentence. */
const holderOf = (setting: string): string =>
  isCertificatePath(setting)
    ? `The file ${setting} of the option ExtraCaCertificates`
    : 'The option ExtraCaCertificates'

function readPem(text: string): X509Certificate[] {
  const blocks = text.match(block) ?? []
  if (blocks.length < text.split(BEGIN).length - 1) {
    throw new WrongCertificates({
      message: 'holds a certificate that is cut off: its END line is missing',
      reason: { code: 'certificate_cut' },
    })
  }
  if (blocks.length === 0) {
    throw new WrongCertificates({
      message: `holds no certificate: there is no line "${BEGIN}"`,
      reason: { code: 'certificate_none' },
    })
  }
  return blocks.map((pem, at) => {
    try {
      return new X509Certificate(pem)
    } catch (cause) {
      const which =
        blocks.length === 1 ? 'its certificate' : `certificate ${at + 1} of ${blocks.length}`
      throw new WrongCertificates(
        {
          message: `is not valid: ${which} cannot be read`,
          reason: { code: 'certificate_unreadable', number: at + 1 },
        },
        cause,
      )
    }
  })
}

/** Files often hold a single certificate in binary form (`.cer`, `.crt`). */
function readBytes(bytes: Buffer): X509Certificate[] {
  const text = bytes.toString('latin1')
  if (isPem(text)) return readPem(text)
  try {
    return [new X509Certificate(bytes)]
  } catch {
    return readPem(text)
  }
}

function bytesOf(path: string): Buffer {
  const file = statSync(path)
  // A pipe or a device would be read for ever.
  if (!file.isFile())
    throw new WrongCertificates({
      message: 'is not a file: enter the path of a file',
      reason: { code: 'certificate_no_file' },
    })
  if (file.size > LONGEST_FILE) {
    throw new WrongCertificates({
      message: `is larger than ${LONGEST_FILE / 1_000_000} MB`,
      reason: { code: 'certificate_large', megabytes: LONGEST_FILE / 1_000_000 },
    })
  }
  return readFileSync(path)
}

function readFile(path: string): X509Certificate[] {
  try {
    return readBytes(bytesOf(path))
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === undefined || cause instanceof WrongCertificates) throw cause
    const why: Sentence =
      code === 'ENOENT'
        ? { message: 'does not exist', reason: { code: 'certificate_file_missing' } }
        : {
            message: `cannot be read (${code})`,
            reason: { code: 'certificate_file_unreadable', problem: code },
          }
    throw new WrongCertificates(why, cause)
  }
}

/** Can other certificates be checked against it? A server's own certificate can if it is self-signed. */
const isAuthority = ({ ca, subject, issuer }: X509Certificate): boolean => ca || subject === issuer

/** Throws if no certificate can ever be checked against these. */
function checkUse(certificates: readonly X509Certificate[]): void {
  const [first] = certificates
  if (!first) return
  if (!certificates.some(isAuthority)) {
    const { subject, issuer } = first
    throw new WrongCertificates({
      message: `holds only a server's certificate (${nameOf(subject)}): enter the certificate of its issuer, ${nameOf(issuer)}`,
      reason: { code: 'certificate_of_server', subject: nameOf(subject), issuer: nameOf(issuer) },
    })
  }
  const expired = expiredOf(certificates)
  if (expired.length === certificates.length) {
    throw new WrongCertificates({
      message: `holds only expired certificates: ${expired.join(', ')}`,
      reason: { code: 'certificate_all_expired', names: expired.join(', ') },
    })
  }
}

function named<Value>(setting: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof WrongCertificates)) throw cause
    throw new WrongCertificates(
      {
        message: `${holderOf(setting)} ${cause.message}.`,
        reason: isCertificatePath(setting)
          ? { code: 'certificates_of_file', path: setting, why: cause.reason }
          : { code: 'certificates_of_option', why: cause.reason },
      },
      cause.cause,
    )
  }
}

function read(text: string): X509Certificate[] {
  if (text === '') return []
  return isCertificatePath(text) ? readFile(text) : readPem(text)
}

/**
 * The certificates of the option: its text in PEM, or a file by its path; none for an empty one. Throws
 * WrongCertificates.
 */
export const readCertificates = (setting: string): X509Certificate[] =>
  named(setting, () => read(setting.trim()))

/** Throws WrongCertificates for a value that is entered and could never help. */
export function checkNewCertificates(setting: string): void {
  const text = setting.trim()
  if (isCertificatePath(text) && !isAbsolute(text)) {
    throw new WrongCertificates({
      message:
        'The option ExtraCaCertificates must be the absolute path of a file, or certificates in PEM, which begin with "-----BEGIN CERTIFICATE-----".',
      reason: { code: 'certificates_form' },
    })
  }
  named(text, () => {
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
      throw new WrongCertificates({
        message: 'holds a private key: enter only the certificates',
        reason: { code: 'certificate_private_key' },
      })
    }
    checkUse(read(text))
  })
}
