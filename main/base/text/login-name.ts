import type { FieldProblem } from '../field-problems.ts'

/** Key of an account's name: full-width letters and capitals make no other name. */
export const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase()

/**
 * Letters of Cyrillic and Greek that look like a Latin one, small or capital, after
 * https://www.unicode.org/Public/security/latest/confusables.txt
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', в: 'b', е: 'e', һ: 'h', н: 'h', і: 'i', ј: 'j', к: 'k', м: 'm', о: 'o', р: 'p' },
  ...{ с: 'c', ѕ: 's', т: 't', у: 'y', х: 'x', ԁ: 'd', ԛ: 'q', ԝ: 'w' },
  ...{ α: 'a', β: 'b', ε: 'e', ζ: 'z', η: 'h', ι: 'i', κ: 'k', μ: 'm', ν: 'v', ο: 'o', ρ: 'p' },
  ...{ τ: 't', υ: 'u', χ: 'x', ω: 'w', ı: 'i' },
}

/** Key that look-alike names share; letters that look like digits count as digits. */
export const nameLook = (name: string): string =>
  nameKey(name)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/./gu, (letter) => LOOKALIKES[letter] ?? letter)

/** A new user name's problem; null when it may be used. */
export function nameProblem(name: string): FieldProblem | null {
  if (/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u.test(name)) {
    return 'field_invisible'
  }
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
  if (scripts.filter((script) => script.test(name)).length > 1) {
    return 'field_mixed_letters'
  }
  return null
}
