import { tenantsSuite } from '../../rows/tenants.ts'
import './organizations.ts'
import { paymentsRows } from './payments-rows.ts'

tenantsSuite(paymentsRows)
