import { sandboxedTest as test } from '../support/sandbox.ts'
import { casesIn, expectSame } from './differential.ts'

test.each(casesIn('node'))('$language: $name', expectSame)
