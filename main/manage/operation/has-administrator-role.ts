import type { User } from '../../store/records/users.ts'

const ADMINISTRATOR = 10

/** True for administrators and the owner. */
export const hasAdministratorRole = ({ role }: Pick<User, 'role'>): boolean => role >= ADMINISTRATOR
