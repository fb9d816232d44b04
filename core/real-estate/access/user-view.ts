import { nullIfAbsent } from '../../kernel/input/field.ts'
import { input, object } from '../../kernel/input/input.ts'
import { flag, instant, oneOf } from '../../kernel/input/scalars.ts'
import { email, guid, line, taxId, text } from '../../kernel/input/texts.ts'
import { output, view } from '../../kernel/input/view.ts'
import type { Company } from '../records/company.ts'
import type { User } from '../records/user.ts'
import { ROLES } from '../role.ts'

/** As long as an identity provider's ids are. Source: reference/real-estate.md, Identity provider. */
const MAX_UID = 128

export const userFields = {
  firebaseUid: text({ max: MAX_UID, about: 'Identificador do usuário no provedor de identidade' }),
  email: email({ about: 'E-mail' }),
  name: line({ max: 255, about: 'Nome' }),
  role: oneOf(ROLES, { about: 'Papel na imobiliária' }),
  companyId: guid({ about: 'Identificador da imobiliária' }),
}

const companyFields = {
  legalName: nullIfAbsent(line({ max: 255, about: 'Razão social' })),
  taxId: nullIfAbsent(taxId({ kind: 'CNPJ', about: 'CNPJ, guardado sem pontuação' })),
}

/** Who registers somebody, and where. Source: 03-real-estate.md, Authentication; decisions.md §6, Register. */
export const newUser = input('NewUser', {
  ...userFields,
  company: nullIfAbsent(
    object(input(null, companyFields), { about: 'A imobiliária, para quem a funda com um `companyId` novo' }),
  ),
})

/** A user as registration shows it. Source: 03-real-estate.md, POST /api/auth/register. */
export const userView = view(
  'User',
  { id: guid({ about: 'Identificador' }), ...userFields, createdAt: instant({ about: 'Criação' }) },
  (of: User) => of,
)

/** Somebody who signed in, with their company. */
export interface Profile {
  readonly user: User
  readonly company: Company
}

const companyView = view('Company', { id: guid({ about: 'Identificador' }), ...companyFields }, (of: Company) => of)

/** Source: 03-real-estate.md, POST /api/auth/login; decisions.md §10, Identity. */
export const profileView = view(
  'Profile',
  {
    id: guid({ about: 'Identificador' }),
    ...userFields,
    isDarkMode: flag({ about: 'Se prefere o tema escuro; falso até que alguém possa dizer' }),
    company: output.view(companyView, { about: 'A imobiliária' }),
  },
  ({ user, company }: Profile) => ({ ...user, company, isDarkMode: false }),
)
