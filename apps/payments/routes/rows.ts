import type { AnyRow } from '../../http/row.ts'
import { accountRows } from './access/account.ts'
import { apiTokenRows } from './access/api-tokens.ts'
import { authenticationRows } from './access/authentication.ts'
import { clientRows } from './access/clients.ts'
import { codeRows } from './access/codes.ts'
import { legacyAuthRows } from './access/legacy-auth.ts'
import { legacyCodeRows } from './access/legacy-codes.ts'
import { managerUserRows } from './access/manager-users.ts'
import { organizationRows } from './access/organizations.ts'
import { roleRows } from './access/roles.ts'
import { sessionRows } from './access/sessions.ts'
import { userRows } from './access/users.ts'
import { webhookNotificationRows } from './access/webhook-notifications.ts'
import { chargeRows } from './charges.ts'
import { consolidationRows } from './consolidation.ts'
import { publicRows } from './public.ts'

/** Every route of the payments app; the fake bank's desk comes on top where there is one. */
export const rows: readonly AnyRow[] = [
  ...authenticationRows,
  ...codeRows,
  ...legacyAuthRows,
  ...legacyCodeRows,
  ...sessionRows,
  ...managerUserRows,
  ...apiTokenRows,
  ...roleRows,
  ...organizationRows,
  ...userRows,
  ...clientRows,
  ...accountRows,
  ...chargeRows,
  ...publicRows,
  ...consolidationRows,
  ...webhookNotificationRows,
]
