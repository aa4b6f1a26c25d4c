import { describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../../lib/aws/public-addresses.ts'

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '223.255.255.255',
  ])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true))

  it.each(['2606:4700:4700::1111', '2a00:1450:4001:82a::200e', '2001:200::1', '3ffe:ffff::1'])(
    'accepts %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )

  it.each([
    ['this network', '0.0.0.0'],
    ['a private network', '10.1.2.3'],
    ['another', '172.16.0.1'],
    ['another up to its end', '172.31.255.255'],
    ['a third', '192.168.1.1'],
    ['a carrier’s network', '100.64.0.1'],
    ['a carrier’s network up to its end', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback elsewhere', '127.255.255.254'],
    ['link-local, where clouds keep credentials', '169.254.169.254'],
    ['protocol assignments', '192.0.0.170'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.19.255.255'],
    ['multicast', '224.0.0.251'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['nothing in IPv6', '::'],
    ['loopback in IPv6', '::1'],
    ['link-local in IPv6', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['unique local, where clouds keep credentials', 'fd00:ec2::254'],
    ['multicast in IPv6', 'ff02::1'],
    ['mapped IPv4, also of a public address', '::ffff:1.1.1.1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['translated IPv4', '64:ff9b::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['documentation in IPv6', '2001:db8::1'],
    ['newer documentation in IPv6', '3fff::1'],
    ['no address', 'localhost'],
    ['nothing', ''],
  ])('refuses %s: %s', (_, address) => expect(isPublicAddress(address)).toBe(false))
})
