import type { Change } from '../../kernel/records/record.ts'
import type { Fresh } from '../../kernel/running/use-case.ts'
import { type EmailTemplate, facts, text } from '../../office/mail.ts'
import { byId, type Find, type Store } from '../../ports/store.ts'
import type { Account } from '../accounts/account.ts'
import { ACTIVE_MEMBERSHIP, adminsOf, type Membership } from '../members/membership.ts'
import { mailUser, type User, users } from '../members/user.ts'
import { type AccountActor, type PaymentsPorts, roleOf } from '../payments-ports.ts'

/** The people of a notice about the team: the active ADMINs before the change, and the user who makes it. */
export interface NoticeFacts {
  readonly admins: readonly User[]
  readonly by: User | null
}

export const readNoticeFacts = async (
  store: Store,
  { accountId, userId }: Pick<AccountActor, 'accountId' | 'userId'>,
): Promise<NoticeFacts> => {
  const { by, admins } = await store.read({ by: byId(users, userId), admins: adminsOf(accountId) })
  const finds = admins.records.map((each): [string, Find<User>] => [`${each.userId}`, byId(users, each.userId)])
  const found = await store.read(Object.fromEntries(finds))
  return { by, admins: Object.values(found).filter((user) => user !== null) }
}

type Access = Pick<Membership, 'roleId' | 'status'>

/** A change of the team: `before` is null for a new member, `after` for a removed one. */
interface TeamChange {
  readonly account: Pick<Account, 'name'>
  readonly member: Pick<User, 'id' | 'email'>
  readonly before: Access | null
  readonly after: Access | null
}

/**
 * Returns the mails that notify the ADMINs of an account of a change of its team, which may be an attack. The ADMIN who makes the
 * change is notified too, since the token may be stolen; the member whom it concerns is not.
 */
export const notifyAdmins = (
  { cipher }: Pick<PaymentsPorts, 'cipher'>,
  { admins, by }: NoticeFacts,
  change: TeamChange,
  fresh: Fresh,
): readonly Change[] =>
  admins
    .filter(({ id }) => id !== change.member.id)
    .map((admin) => mailUser(cipher, fresh, admin, noticeMail(admin.name, by, change)))

const noticeMail = (name: string, by: User | null, { account, member, before, after }: TeamChange): EmailTemplate => ({
  subject: `${before === null ? 'Novo membro' : after === null ? 'Membro removido' : 'Acesso alterado'} na conta ${account.name}`,
  blocks: [
    text(`Olá, ${name}!`, 'A equipe da sua conta acabou de mudar.'),
    facts(
      ['Conta', account.name],
      [before === null ? 'Novo membro' : after === null ? 'Membro removido' : 'Membro', member.email],
      ...(before ? ([[after ? 'Perfil anterior' : 'Perfil', accessText(before)]] as const) : []),
      ...(after ? ([['Perfil', accessText(after)]] as const) : []),
      ...(by ? ([['Quem alterou', `${by.name} (${by.email})`]] as const) : []),
    ),
    text(
      'Se não foi você nem alguém da sua equipe, troque a senha agora mesmo, reveja os acessos da conta e fale conosco.',
    ),
  ],
})

const accessText = ({ roleId, status }: Access): string =>
  status === ACTIVE_MEMBERSHIP ? roleOf(roleId).name : `${roleOf(roleId).name}, inativo`
