import { type Either, type Failure, failure, isLeft, left, right } from '../../core/failure.ts'
import { always, eq, patch, remove } from '../../core/kernel/records/record.ts'
import { accept, type RunnerCode, type UseCase, useCase } from '../../core/kernel/running/use-case.ts'
import { epochSeconds } from '../../core/kernel/values/day.ts'
import { type EmailTemplate, link, text } from '../../core/office/mail.ts'
import { hashingUseCaseOf } from '../../core/office/throttle.ts'
import type { Hasher, Requester } from '../../core/ports/identity.ts'
import { byId, byKey } from '../../core/ports/store.ts'
import { queueMail } from '../../core/real-estate/office.ts'
import type { RealEstatePorts } from '../../core/real-estate/real-estate-ports.ts'
import { digest } from '../crypto/cipher.ts'
import { type DevAccount, type DevKeys, devAccounts } from './dev-accounts.ts'

const REQUEST_TYPES = ['PASSWORD_RESET', 'VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL'] as const
export type DevRequestType = (typeof REQUEST_TYPES)[number]

/** A mailed code and its account. */
export interface DevCode {
  readonly account: DevAccount
  readonly requestType: DevRequestType
  /** Null if the code does not change the e-mail. */
  readonly newEmail: string | null
}

export interface DevCodePorts extends Pick<RealEstatePorts, 'store' | 'clock' | 'random' | 'ids' | 'cipher'> {
  readonly settings: Pick<RealEstatePorts['settings'], 'publicUrl'>
  readonly hasher: Hasher
  readonly keys: DevKeys
}

export type CodeFault = 'issuer.code-invalid' | 'issuer.code-expired'

/** The lifetime of Firebase's codes. */
const CODE_SECONDS = 3_600
const CODE = /^([\w-]+)\.([\w-]+)$/
const INVALID = left(failure('refused', 'issuer.code-invalid'))
const EMAIL_EXISTS = left(failure('refused', 'issuer.email-exists'))

type Payload = readonly [accountId: string, type: DevRequestType, endsAtSeconds: number, newEmail: string | null]

/** The mark covers the fields that the code changes, so that a code works once without being stored. */
const markOf = (keys: DevKeys, payload: string, { email, passwordHash, verifiedAt }: DevAccount): string =>
  keys.mark(JSON.stringify(['code', payload, email, passwordHash, verifiedAt]))

const codeOf = (keys: DevKeys, account: DevAccount, payload: Payload): string => {
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${markOf(keys, text, account)}`
}

const readCode = async (
  { store, clock, keys }: Pick<DevCodePorts, 'store' | 'clock' | 'keys'>,
  code: string,
): Promise<Either<Failure<CodeFault, never>, DevCode>> => {
  const [, payload = '', mark = ''] = CODE.exec(code) ?? []
  const [id, requestType, endsAt, newEmail] = payloadOf(payload)
  const account = id === '' ? null : await store.find(byId(devAccounts, id))
  if (!account || !digest.equal(mark, markOf(keys, payload, account))) return INVALID
  if (endsAt < epochSeconds(clock.now())) return left(failure('refused', 'issuer.code-expired'))
  return right({ account, requestType, newEmail })
}

const payloadOf = (text: string): Payload => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload
  } catch {
    return ['', 'VERIFY_EMAIL', 0, null]
  }
}

const MAILS: Readonly<
  Record<DevRequestType, { readonly subject: string; readonly label: string; readonly why: string }>
> = {
  PASSWORD_RESET: {
    subject: 'Crie uma nova senha',
    label: 'Criar nova senha',
    why: 'Alguém pediu uma nova senha para a conta deste e-mail.',
  },
  VERIFY_EMAIL: { subject: 'Confirme seu e-mail', label: 'Confirmar e-mail', why: 'Confirme que este e-mail é seu.' },
  VERIFY_AND_CHANGE_EMAIL: {
    subject: 'Confirme seu novo e-mail',
    label: 'Confirmar novo e-mail',
    why: 'Confirme que este e-mail é seu: a conta passará a usá-lo.',
  },
}

/** The link to the panel, with the code in its fragment: clients of Firebase read `oobCode` there. */
const mailOf = (publicUrl: string, type: DevRequestType, code: string): EmailTemplate => {
  const { subject, label, why } = MAILS[type]
  const url = `${publicUrl}/panel#mode=${type === 'PASSWORD_RESET' ? 'resetPassword' : 'verifyEmail'}&oobCode=${code}`
  return {
    subject,
    blocks: [
      text('Olá!', why),
      link(label, url),
      text('O endereço vale por 1 hora e só pode ser usado uma vez. Se você não pediu isto, ignore esta mensagem.'),
    ],
  }
}

/** Mails, checks and applies the codes of the development issuer. */
export const devCodes = (ports: DevCodePorts) => {
  const { hasher, keys, cipher, settings } = ports

  /** Mails a code for an account: to its e-mail, or to the new one that the code confirms. */
  const send = (
    account: DevAccount,
    type: DevRequestType,
    newEmail: string | null = null,
  ): UseCase<string, 'issuer.email-exists' | RunnerCode> =>
    useCase(
      ports,
      (store) => (newEmail === null ? Promise.resolve(null) : store.find(byKey(devAccounts, 'email', newEmail))),
      (holder, fresh) => {
        if (holder) return EMAIL_EXISTS
        const code = codeOf(keys, account, [account.id, type, epochSeconds(fresh.now) + CODE_SECONDS, newEmail])
        const to = newEmail ?? account.email
        return accept(to, queueMail(cipher, fresh, { to, ...mailOf(settings.publicUrl, type, code) }))
      },
    )

  const check =
    (code: string): UseCase<DevCode, CodeFault> =>
    async () =>
      readCode(ports, code)

  /** Applies a change if the code is valid at the commit. */
  const apply = (
    code: string,
    types: readonly DevRequestType[],
    set: Partial<DevAccount>,
  ): UseCase<DevAccount, CodeFault | 'issuer.email-exists' | RunnerCode> =>
    useCase(
      ports,
      async (store) => {
        const read = await readCode({ ...ports, store }, code)
        const to = isLeft(read) ? null : read.right.newEmail
        return { read, holder: to === null ? null : await store.find(byKey(devAccounts, 'email', to)) }
      },
      ({ read, holder }, { now }) => {
        if (isLeft(read)) return read
        const { account, requestType, newEmail } = read.right
        if (!types.includes(requestType)) return INVALID
        if (holder && holder.id !== account.id) return EMAIL_EXISTS
        const changes = { ...set, ...(newEmail !== null && { email: newEmail }), verifiedAt: now }
        const same = eq<'passwordHash'>('passwordHash', account.passwordHash)
        const changed: DevAccount = { ...account, ...changes }
        return accept(changed, patch(devAccounts, account.id, { set: changes, when: same }))
      },
    )

  return {
    send,
    check,
    /** Confirms an e-mail. */
    confirm: (code: string) => apply(code, ['VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL'], {}),
    /** Sets a new password. */
    reset: (code: string, password: string, requester: Requester) =>
      hashingUseCaseOf<DevCode>()(async () => {
        const known = await check(code)()
        if (isLeft(known)) return known
        const passwordHash = await hasher.hash(password, requester)
        const changed = await apply(code, ['PASSWORD_RESET'], { passwordHash })()
        return isLeft(changed) ? changed : right({ ...known.right, account: changed.right })
      }),
    remove: ({ id }: DevAccount) =>
      useCase(
        ports,
        () => null,
        () => accept(null, remove(devAccounts, id, always)),
      ),
  }
}
