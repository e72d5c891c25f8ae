import type { Sentence } from '../../base/reason.ts'
import type { User } from '../../store/records/users.ts'

/** What of a user decides how they sign in, and what calls cost them. */
type Noted = Pick<User, 'username' | 'email' | 'group'>

/** Sentences for the audit log about what is different of a user now: names and e-mails let in, groups set prices. */
export function userChanges(before: Noted, after: Noted): Sentence[] {
  const user = before.username
  const sentences: Sentence[] = []
  if (after.username !== user) {
    sentences.push({
      message: `"${user}" was renamed "${after.username}".`,
      reason: { code: 'audit_user_renamed', user, name: after.username },
    })
  }
  if (after.email !== before.email) {
    const [old, email] = [before.email || '–', after.email || '–']
    sentences.push({
      message: `The e-mail address of "${user}" was changed from ${old} to ${email}.`,
      reason: { code: 'audit_user_email', user, before: old, after: email },
    })
  }
  if (after.group !== before.group) {
    sentences.push({
      message: `"${user}" was moved from the group "${before.group}" to "${after.group}".`,
      reason: { code: 'audit_user_group', user, before: before.group, after: after.group },
    })
  }
  return sentences
}
