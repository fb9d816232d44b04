import { type Either, type Failure, left, right, throttled } from '../../failure.ts'
import { type Change, type Collection, eq, insert, orNull, patch, record, t } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { addSeconds, type Instant, secondsBetween } from '../../kernel/values/day.ts'
import { type EmailTemplate, text } from '../../office/mail.ts'
import { byId, type Find } from '../../ports/store.ts'
import { auditUser, mailUser, type User } from '../members/user.ts'
import type { Origin, PaymentsPorts } from '../payments-ports.ts'
import type { ProofKind } from './challenge.ts'

const factor = record({
  /** The id of the user, as text. */
  id: t.string,
  /** The sealed TOTP secret; null while none is confirmed. */
  totpSealed: orNull(t.string),
  /** The last TOTP step that was used: a code of it or of an earlier one is not accepted again. */
  totpStep: orNull(t.number),
  /** The sealed secret of a set-up that waits for its first code. */
  pendingSealed: orNull(t.string),
  pendingUntil: orNull(t.string),
  passkeys: t.number,
  /** The digests of the unused recovery codes. */
  recoveryDigests: t.array(t.string),
  /** The wrong proofs since `wrongSince`, over all challenges. */
  wrong: t.number,
  wrongSince: orNull(t.string),
  lockedUntil: orNull(t.string),
  /** Incremented by every write, and the guard of every write. */
  version: t.number,
  createdAt: t.string,
  updatedAt: t.string,
})

/**
 * The second factor of a person: its proofs, and the count of wrong ones. In use while `User.secondFactorAt` is set.
 */
export type Factor = t.TypeOf<typeof factor>

export const factors: Collection<Factor> = { name: 'payments.second-factors', ids: 'text', codec: factor, owner: null }

export const factorOf = (userId: number): Find<Factor> => byId(factors, `${userId}`)

/** The kinds of proofs with which the person can prove the factor now. */
export const proofKindsOf = (
  found: Pick<Factor, 'totpSealed' | 'passkeys' | 'recoveryDigests'> | null,
): readonly ProofKind[] => [
  ...(found?.totpSealed ? (['totp'] as const) : []),
  ...(found && found.passkeys > 0 ? (['passkey'] as const) : []),
  ...(found && found.recoveryDigests.length > 0 ? (['recovery-code'] as const) : []),
]

/** Returns the change of a factor; the first one inserts it. Of two simultaneous changes, the second commit fails. */
export const changeFactor = (
  found: Factor | null,
  userId: number,
  set: Partial<Omit<Factor, 'id' | 'version' | 'createdAt' | 'updatedAt'>>,
  now: Instant,
): Change =>
  found
    ? patch(factors, found.id, {
        set: { ...set, version: found.version + 1, updatedAt: now },
        when: eq('version', found.version),
      })
    : insert(factors, { ...NO_PROOFS, version: 1, ...set, id: `${userId}`, createdAt: now, updatedAt: now })

/** The fields of a factor without proofs. */
export const NO_PROOFS: Omit<Factor, 'id' | 'version' | 'createdAt' | 'updatedAt'> = {
  totpSealed: null,
  totpStep: null,
  pendingSealed: null,
  pendingUntil: null,
  passkeys: 0,
  recoveryDigests: [],
  wrong: 0,
  wrongSince: null,
  lockedUntil: null,
}

/** The number of wrong proofs within an hour that locks the factor of a person for an hour. */
const MAX_WRONG = 10
const WINDOW_SECONDS = 3_600
const LOCK_SECONDS = 3_600

/** Checks that a factor is not locked. Fails: `second-factor.locked`. */
export const checkLock = (
  found: Pick<Factor, 'lockedUntil'> | null,
  now: Instant,
): Either<Failure<'second-factor.locked', never>, null> =>
  found?.lockedUntil && found.lockedUntil > now
    ? left(throttled('second-factor.locked', secondsBetween(now, found.lockedUntil)))
    : right(null)

/** Returns the fields of a factor after a wrong proof. The tenth within an hour locks it. */
const countWrong = (
  { wrong, wrongSince }: Pick<Factor, 'wrong' | 'wrongSince'>,
  now: Instant,
): Pick<Factor, 'wrong' | 'wrongSince' | 'lockedUntil'> => {
  const isOpen = wrongSince !== null && addSeconds(wrongSince, WINDOW_SECONDS) > now
  const counted = (isOpen ? wrong : 0) + 1
  if (counted >= MAX_WRONG) return { wrong: 0, wrongSince: null, lockedUntil: addSeconds(now, LOCK_SECONDS) }
  return { wrong: counted, wrongSince: isOpen ? wrongSince : now, lockedUntil: null }
}

/** Returns the changes that count a wrong proof. The proof that locks the factor is audited and the person notified. */
export const countWrongProof = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  factor: Factor,
  user: User,
  origin: Origin | null,
  fresh: Fresh,
): readonly Change[] => {
  const counted = countWrong(factor, fresh.steady)
  const change = changeFactor(factor, user.id, counted, fresh.now)
  if (counted.lockedUntil === null) return [change]
  return [
    change,
    mailUser(cipher, fresh, user, factorMail(user.name, 'locked')),
    ...auditUser(fresh, { userId: null, origin }, user.id, 'second-factor.locked'),
  ]
}

/** Returns the changes that record the use of a recovery code, and notify the person. */
export const recordRecoveryUse = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  user: User,
  origin: Origin | null,
  fresh: Fresh,
): readonly Change[] => [
  mailUser(cipher, fresh, user, factorMail(user.name, 'recovery-used')),
  ...auditUser(fresh, { userId: user.id, origin }, user.id, 'second-factor.recovery-used'),
]

const FACTOR_MAILS = {
  enabled: {
    subject: 'Segundo fator ativado',
    lines: ['A verificação em duas etapas foi ativada, e as outras sessões foram encerradas.'],
  },
  removed: {
    subject: 'Segundo fator desativado',
    lines: ['A verificação em duas etapas foi desativada, e as outras sessões foram encerradas.'],
  },
  reset: {
    subject: 'Segundo fator retirado',
    lines: [
      'Um administrador da sua conta ou o suporte retirou a sua verificação em duas etapas, e todas as sessões foram encerradas.',
      'Entre com a senha e ative-a de novo.',
    ],
  },
  'recovery-used': {
    subject: 'Código de recuperação usado',
    lines: ['Um dos seus códigos de recuperação foi usado. Ele não vale mais.'],
  },
  locked: {
    subject: 'Segundo fator bloqueado por uma hora',
    lines: [
      'Houve dez códigos errados em uma hora, depois da senha certa: o segundo fator fica bloqueado por uma hora.',
    ],
  },
} as const satisfies Readonly<Record<string, { readonly subject: string; readonly lines: readonly string[] }>>

/** Notifies a person of a change of their second factor, which may be an attack. */
export const factorMail = (name: string, event: keyof typeof FACTOR_MAILS): EmailTemplate => {
  const { subject, lines } = FACTOR_MAILS[event]
  return {
    subject,
    blocks: [text(`Olá, ${name}!`), text(...lines, 'Se não foi você, troque a senha agora mesmo e fale conosco.')],
  }
}
