import { tenantsSuite } from '../../rows/tenants.ts'
import { estateRows } from './estate-rows.ts'

tenantsSuite(estateRows)
