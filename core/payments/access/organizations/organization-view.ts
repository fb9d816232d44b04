import { pick } from '../../../kernel/input/table.ts'
import { view } from '../../../kernel/input/view.ts'
import type { ShownAccount } from '../../accounts/account.ts'
import { accountFields } from '../../accounts/account.ts'

/** Source: 01-access.md, v1 organization. */
export const organizationView = view(
  'Organization',
  pick(accountFields, 'id', 'uuid', 'name', 'email', 'document', 'status'),
  (account: ShownAccount) => account,
)
