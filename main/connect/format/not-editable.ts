/** The file is valid, but a key can't be set without rewriting what others wrote. */
export class NotEditable extends Error {
  override name = 'NotEditable'
}
