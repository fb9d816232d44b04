import { failure } from '../../failure.ts'
import { left } from '../../fp.ts'
import { output, view } from '../../kernel/input/view.ts'
import { check } from '../../kernel/records/change.ts'
import { eq } from '../../kernel/records/where.ts'
import type { Fresh } from '../../kernel/running/fresh.ts'
import { accept, useCase } from '../../kernel/running/use-case.ts'
import type { Origin } from '../../office/audit.ts'
import { byId } from '../../ports/store.ts'
import { openSession, passwordMark } from '../access/sessions/session.ts'
import { type SignedIn, signedIn } from '../access/sessions/signed-in.ts'
import { type Account, accounts } from '../accounts/account.ts'
import { type AccountDetail, accountDetail, accountView } from '../accounts/account-view.ts'
import { memberView, type User, users } from '../members/user.ts'
import type { PaymentsPorts } from '../payments-ports.ts'
import { ADMIN, roleView } from '../role.ts'

/** Somebody new in their account, as its ADMIN. */
export interface Entered {
  readonly signed: SignedIn
  readonly account: AccountDetail
}

interface NewOwner {
  readonly userId: number
  readonly accountId: number
  /** Of the password that was just chosen. */
  readonly passwordHash: string
}

interface Facts {
  readonly user: User | null
  readonly account: Account | null
}

type Ports = Pick<PaymentsPorts, 'cipher' | 'digest' | 'settings' | 'tokens'>

/** Signs in who has just got an account. Fails: `credentials.wrong`, where the password was replaced meanwhile. */
export const enterAccount = (ports: PaymentsPorts) => (owner: NewOwner, origin: Origin) =>
  useCase(
    ports,
    (store) => store.read({ user: byId(users, owner.userId), account: byId(accounts, owner.accountId) }),
    (facts, fresh) => decideEntry(ports, facts, owner, origin, fresh),
  )

const decideEntry = (
  ports: Ports,
  { user, account }: Facts,
  { passwordHash }: NewOwner,
  origin: Origin,
  fresh: Fresh,
) => {
  if (!user || !account || user.passwordHash !== passwordHash) return left(failure('unauthorized', 'credentials.wrong'))
  const { session, change } = openSession(fresh, {
    userId: user.id,
    accountId: account.id,
    origin,
    passwordMark: passwordMark(ports, passwordHash),
  })
  const signed = signedIn(ports.tokens, session, user, ADMIN.id)
  return accept<Entered>(
    { signed, account: accountDetail(ports, account, ADMIN.permissions) },
    // A reset ends every session: it must not miss this one.
    check(users, user.id, eq('passwordHash', passwordHash)),
    change,
  )
}

/** Source: 01-access.md, POST /access/register-full; `time` is in seconds: decisions.md §1, Sessions and codes. */
export const enteredView = view(
  'Entered',
  {
    token: output.text({ about: 'Token de acesso' }),
    expiresInSeconds: output.count({ wire: 'time', about: 'Validade em segundos' }),
    account: output.view(accountView, { about: 'Conta' }),
    user: output.view(memberView, { about: 'Quem se cadastrou' }),
    roles: output.views(roleView, { about: 'Perfis na conta' }),
  },
  ({ signed, account }: Entered) => ({ ...signed, token: signed.accessToken, account, roles: [ADMIN] }),
)
