import { describedSuite } from '../rows/described.ts'
import { openEstateApi } from './test-api.ts'

describedSuite(openEstateApi, { paths: 10, schemas: 10, parameters: 10 })
