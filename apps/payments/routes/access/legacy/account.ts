import { t } from '../../../../../core/fp.ts'
import { accountView } from '../../../../../core/payments/accounts/account-view.ts'
import type { AccountDetail } from '../../../../../core/payments/accounts/read-account.ts'
import { type OwnAccount, ownAccountView } from '../../../../../core/payments/identity/read-legacy-me.ts'
import { json } from '../../../../http/json-reply.ts'
import type { AnyRow } from '../../../../http/row.ts'
import { route } from '../../../house.ts'
import { accountExample, accountShape } from './account-shape.ts'

/** Source: 01-access.md, Legacy account. */
export const accountRows: readonly AnyRow[] = [
  route({
    name: 'account.show',
    area: 'Conta',
    summary: 'Mostra a conta ativa',
    methods: ['GET'],
    paths: ['/access/account'],
    dialect: 'envelope',
    auth: 'account',
    input: {},
    output: accountShape,
    run: ({ core, actor }) => core.readAccount(actor),
    reply: json<AccountDetail>({
      key: 'account',
      message: 'Conta obtida com sucesso.',
      view: ({ account, secrets }) => accountView(account, secrets),
    }),
    deprecated: { use: '/v1/organizations' },
    example: {
      given: 'organization',
      reply: { code: 200, success: true, account: accountExample, message: 'Conta obtida com sucesso.' },
    },
  }),
  route({
    name: 'accounts.list',
    area: 'Conta',
    summary: 'Lista as contas do usuário',
    methods: ['GET'],
    paths: ['/access/accounts'],
    dialect: 'envelope',
    auth: 'session',
    input: {},
    output: t.array(accountShape),
    run: ({ core, actor }) => core.listOwnAccounts(actor),
    reply: json({
      key: 'accounts',
      message: 'Contas listadas com sucesso.',
      view: (own: readonly OwnAccount[]) => own.map(ownAccountView),
    }),
    deprecated: { use: '/v1/organizations' },
    example: {
      given: 'organization',
      reply: { code: 200, success: true, accounts: [accountExample], message: 'Contas listadas com sucesso.' },
    },
  }),
]
