import type { Role } from '../../../../core/real-estate/actor.ts'
import { PASSWORD } from '../../payments/test-api.ts'
import type { EstateTestApi } from '../../real-estate/test-api.ts'
import type { Known } from '../known.ts'
import { signUp } from './member.ts'

export const COMPANY = '0a7f3c52-5d1e-4b7a-9a57-3f0f6b2f9c11'
export const ADMIN: Known = { email: 'ines@lar.example', password: PASSWORD }
export const BROKER: Known = { email: 'breno@lar.example', password: PASSWORD }

/** Who else works there, or has to do with it: whoever is a client, too, is known by their e-mail. */
const COLLEAGUES = {
  Broker: BROKER.email,
  Financial: 'fatima@lar.example',
  Syndic: 'silvio@lar.example',
  Owner: 'olga@dona.example',
  Tenant: 'tito@inquilino.example',
} as const satisfies Partial<Record<Role, string>>

export interface Cast {
  readonly companyId: string
  /** The ids of the users, by role. */
  readonly users: Readonly<Record<keyof typeof COLLEAGUES, string>>
}

/** A company that somebody founds, and people in every role. */
export const founded = async (api: EstateTestApi): Promise<Cast> => {
  const admin = await signUp(api, ADMIN, 'Inês Prado')
  const about = { companyId: COMPANY, company: { legalName: 'Lar Imóveis Ltda.', taxId: '11444777000161' } }
  await admin.post('/api/auth/register', {
    ...about,
    ...{ firebaseUid: admin.uid, email: admin.email, name: 'Inês Prado', role: 'Admin' },
  })
  const users: Record<string, string> = {}
  for (const [role, email] of Object.entries(COLLEAGUES)) {
    const { uid: firebaseUid } = await signUp(api, { email, password: PASSWORD }, `Pessoa ${role}`)
    const own = { firebaseUid, email, name: `Pessoa ${role}`, role, companyId: COMPANY }
    users[role] = (await admin.post('/api/auth/register', own)).id
  }
  return { companyId: COMPANY, users: users as Cast['users'] }
}
