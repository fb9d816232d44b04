import { authSuite } from '../../rows/auth.ts'
import { estateRows } from './estate-rows.ts'

authSuite(estateRows)
