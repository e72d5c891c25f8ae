import type { User, Users } from '../../store/records/users.ts'

/** The one user of role 100, to whom the desktop's window belongs. */
export const findOwner = (users: Users): User | undefined =>
  users.all().find((user) => user.role === 100)
