/**
 * The modules of the facade: `agency.clients` is the module `clients`. Its members have their types and docstrings
 * there.
 */
export { access } from './access.ts'
export { brokers } from './brokers.ts'
export { calendar } from './calendar.ts'
export { charging } from './charging/module.ts'
export { clients } from './clients.ts'
export { commissions } from './commissions.ts'
export { condominiums } from './condominiums.ts'
export { contracts } from './contracts/module.ts'
export { dashboard } from './dashboard.ts'
export { feed } from './feed.ts'
export { files } from './files.ts'
export { invitationsModule as invitations } from './invitations.ts'
export { notifications } from './notifications/module.ts'
export { owners } from './owners.ts'
export { properties } from './properties.ts'
export { proposals } from './proposals.ts'
export { payments } from './rents/module.ts'
export { visits } from './visits.ts'
