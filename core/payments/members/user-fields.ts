import { nullIfAbsent } from '../../kernel/input/field.ts'
import { id, timestamp } from '../../kernel/input/scalars.ts'
import { alphanumeric, email, line, secret } from '../../kernel/input/texts.ts'

/** A document as legacy routes take it: nobody looks at its check digits. */
export const anyDocument = alphanumeric({ max: 20, about: 'CPF ou CNPJ, guardado sem pontuação' })

/** What is known of somebody. Source: 01-access.md, v1 user. */
export const userFields = {
  id: id({ about: 'Identificador' }),
  name: line({ max: 255, about: 'Nome' }),
  email: email({ max: 255, about: 'E-mail, em minúsculas' }),
  phone: nullIfAbsent(line({ max: 20, about: 'Telefone' })),
  document: nullIfAbsent(anyDocument),
  emailVerifiedAt: nullIfAbsent(timestamp({ about: 'Quando o e-mail foi verificado' })),
}

/** A password that is set, and its repetition. Source: 01-access.md, v1 register. */
export const passwordFields = {
  password: secret({ min: 8, about: 'Senha' }),
  passwordConfirmation: secret({ about: 'A senha, outra vez' }),
}

/** The shortest password that legacy routes take in place of another one. */
export const MIN_NEXT_PASSWORD = 6

/** Passwords as legacy routes take them. Source: 01-access.md, Legacy authentication and Legacy account users. */
export const legacyPasswords = {
  /** Of somebody who is made by another. */
  first: secret({ min: 5, about: 'Senha' }),
  /** In place of another one, or of none. */
  next: secret({ min: MIN_NEXT_PASSWORD, about: 'Senha nova' }),
}
