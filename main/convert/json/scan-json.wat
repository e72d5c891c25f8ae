;; Checks that bytes are JSON, 64 of them at a time: in each mask a bit stands for each of them, the first byte's
;; lowest. Compiled into scan-json-wasm.ts by `node .scripts/compile-wat.mjs`. What the numbers of states and classes
;; stand for, and the tables, are in scan-json-tables.ts; scan-json-slowly.ts does the same byte by byte.
(module
  ;; From 0 on stand the bytes to be looked at: 64 KiB at most, and 63 more may be read. From 128 KiB on stand the
  ;; tokens found (16 bits each), from 256 KiB on the states to go on in behind what is open, the innermost last,
  ;; from 272 KiB on the tables, and behind these what is kept from one window to the next.
  (memory (export "memory") 5)
  ;; Where the literal ends, or is wrong, that $literal has looked at.
  (global $literalAt (mut i32) (i32.const 0))

  ;; Goes on with a number, true, false or null at $at. Gives 0 when it ends well, 255 when it is wrong, and the
  ;; state that it is in when the window ends first.
  (func $literal (param $at i32) (param $end i32) (param $state i32) (result i32)
    (loop $bytes
      (global.set $literalAt (local.get $at))
      (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $state))))
      (local.set $state
        (i32.load8_u offset=279040 (i32.or
          (i32.shl (local.get $state) (i32.const 8))
          (i32.load8_u (local.get $at)))))
      (if (i32.eqz (local.get $state)) (then (return (i32.const 0))))
      (if (i32.eq (local.get $state) (i32.const 255)) (then (return (i32.const 255))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $bytes))
    (unreachable))

  ;; Looks at the bytes from 0 up to $end. Gives the number of tokens found of the object itself and of the first
  ;; item of each array in it, or -1 - index for the first byte that cannot stand where it does.
  (func (export "scan") (param $end i32) (result i32)
    (local $at i32) (local $count i32) (local $index i32) (local $code i32) (local $class i32) (local $next i32)
    (local $depth i32) (local $state i32) (local $scalar i32) (local $tokens i32) (local $result i32)
    (local $lone i64) (local $least v128) (local $two v128)
    (local $quote v128) (local $backslash v128) (local $space v128) (local $nibble v128) (local $lastControl v128) (local $lineEnd v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $seen v128)
    (local $marks v128) (local $spaces v128) (local $escapes v128)
    (local $mine i64) (local $backslashes i64) (local $escaped i64) (local $carry i64)
    (local $behind i64) (local $first i64) (local $sum i64)
    (local $quotes i64) (local $text i64) (local $isText i64)
    (local $odd i64) (local $bad i64) (local $bits i64) (local $unicode i64) (local $hex i64) (local $need i64)
    (local $outside i64) (local $literals i64) (local $before i64) (local $found i64)

    (local.set $depth (i32.load offset=286976 (i32.const 0)))
    (local.set $state (i32.load offset=286980 (i32.const 0)))
    (local.set $scalar (i32.load offset=286984 (i32.const 0)))
    (local.set $isText (i64.load32_s offset=286988 (i32.const 0)))
    (local.set $carry (i64.load32_s offset=286992 (i32.const 0)))
    (local.set $hex (i64.load32_s offset=286996 (i32.const 0)))
    ;; By a byte's lower half, the byte that it has to be to be a mark (with bit 5 set), white space, or to be escaped
    ;; (where it is no quote, r or u).
    (local.set $marks (v128.const i8x16 0 0 0 0 0 0 0 0 0 0 0x3a 0x7b 0x2c 0x7d 0 0))
    (local.set $spaces (v128.const i8x16 0x20 0 0 0 0 0 0 0 0 0x09 0x0a 0 0 0x0d 0 0))
    (local.set $escapes (v128.const i8x16 1 0 0x62 0 0x74 0 0x66 0 0 0 0 0 0x5c 0 0x6e 0x2f))

    ;; Where they stand in the loop, they are made anew in each round.
    (local.set $quote (i8x16.splat (i32.const 0x22)))
    (local.set $backslash (i8x16.splat (i32.const 0x5c)))
    (local.set $space (i8x16.splat (i32.const 0x20)))
    (local.set $nibble (i8x16.splat (i32.const 0x0f)))
    (local.set $lastControl (i8x16.splat (i32.const 0x1f)))
    (local.set $two (i8x16.splat (i32.const 0x02)))
    (local.set $lineEnd (i8x16.splat (i32.const 0x6e)))

    (block $out
      (if (local.get $scalar) (then
        (local.set $before (i64.const 1))
        (local.set $scalar (call $literal (i32.const 0) (local.get $end) (local.get $scalar)))
        (if (i32.eq (local.get $scalar) (i32.const 255)) (then
          (local.set $result (i32.sub (i32.const -1) (global.get $literalAt)))
          (br $out)))))

      (loop $blocks
        ;; Most of a long body is text. In it a block holds nothing to act on where it has no control character, all of
        ;; its quotes are escaped, and what is escaped is a quote, a backslash or n.
        (block $general
          (br_if $general (i32.wrap_i64
            (i64.or (i64.add (local.get $isText) (i64.const 1)) (local.get $hex))))
          (loop $texts
            (br_if $general (i32.lt_s (i32.sub (local.get $end) (local.get $at)) (i32.const 64)))
            (local.set $a (v128.load (local.get $at)))
            (local.set $b (v128.load offset=16 (local.get $at)))
            (local.set $c (v128.load offset=32 (local.get $at)))
            (local.set $d (v128.load offset=48 (local.get $at)))
            (local.set $seen (v128.or (local.get $seen) (v128.or
              (v128.or (local.get $a) (local.get $b))
              (v128.or (local.get $c) (local.get $d)))))

            ;; A quote with bit 1 changed stands right behind the control characters.
            (local.set $least (i8x16.min_u
              (i8x16.min_u
                (v128.xor (local.get $a) (local.get $two))
                (v128.xor (local.get $b) (local.get $two)))
              (i8x16.min_u
                (v128.xor (local.get $c) (local.get $two))
                (v128.xor (local.get $d) (local.get $two)))))
            ;; Without quotes and backslashes, there is least to do.
            (if (i64.eqz (local.get $carry))
              (then (if (i32.eqz (v128.any_true (v128.or
                (i8x16.eq (i8x16.min_u (local.get $least) (local.get $space)) (local.get $least))
                (v128.or
                  (v128.or
                    (i8x16.eq (local.get $a) (local.get $backslash))
                    (i8x16.eq (local.get $b) (local.get $backslash)))
                  (v128.or
                    (i8x16.eq (local.get $c) (local.get $backslash))
                    (i8x16.eq (local.get $d) (local.get $backslash)))))))
                (then
                  (local.set $at (i32.add (local.get $at) (i32.const 64)))
                  (br $texts)))))
            (br_if $general (v128.any_true
              (i8x16.eq (i8x16.min_u (local.get $least) (local.get $lastControl)) (local.get $least))))
            (local.set $backslashes (i64.or
                  (i64.or
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash))))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $backslash)))) (i64.const 16)))
                  (i64.or
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $backslash)))) (i64.const 32))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $backslash)))) (i64.const 48)))))
            (local.set $quotes (i64.or
                  (i64.or
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $quote))))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $quote)))) (i64.const 16)))
                  (i64.or
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $quote)))) (i64.const 32))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $quote)))) (i64.const 48)))))
            (local.set $lone
              (i64.and (local.get $backslashes) (i64.xor (local.get $carry) (i64.const -1))))
            (local.set $behind (i64.or (i64.shl (local.get $lone) (i64.const 1)) (local.get $carry)))
            (local.set $first (i64.and
              (i64.and (local.get $lone) (i64.const 0xaaaaaaaaaaaaaaaa))
              (i64.xor (local.get $behind) (i64.const -1))))
            (local.set $sum (i64.add (local.get $first) (local.get $lone)))
            (local.set $escaped (i64.and
              (local.get $behind)
              (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $sum) (i64.const 1)))))
            (br_if $general (i32.eqz (i64.eqz
              (i64.and (local.get $quotes) (i64.xor (local.get $escaped) (i64.const -1))))))
            (local.set $odd (i64.and
              (local.get $escaped)
              (i64.xor (i64.or (local.get $quotes) (local.get $backslashes)) (i64.const -1))))
            (if (i32.eqz (i64.eqz (local.get $odd))) (then
              (br_if $general (i32.eqz (i64.eqz (i64.and
                (local.get $odd)
                (i64.xor (i64.const -1) (i64.or
                  (i64.or
                    (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $lineEnd))))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $lineEnd)))) (i64.const 16)))
                  (i64.or
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $lineEnd)))) (i64.const 32))
                    (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $lineEnd)))) (i64.const 48)))))))))))
            (local.set $carry (i64.extend_i32_u (i64.lt_u (local.get $sum) (local.get $first))))
            (local.set $at (i32.add (local.get $at) (i32.const 64)))
            (br $texts)))

        (if (i32.ge_u (local.get $at) (local.get $end)) (then
          (local.set $result (local.get $tokens))
          (br $out)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        ;; Which of the 64 are to be looked at.
        (local.set $count (i32.sub (local.get $end) (local.get $at)))
        (local.set $mine (i64.const -1))
        (if (i32.lt_u (local.get $count) (i32.const 64)) (then
          (local.set $mine
            (i64.shr_u (i64.const -1) (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $count)))))))
        (local.set $seen (v128.or (local.get $seen) (v128.or
          (v128.or (local.get $a) (local.get $b))
          (v128.or (local.get $c) (local.get $d)))))


        (local.set $backslashes (i64.and (local.get $mine) (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $backslash))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $backslash)))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $backslash)))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $backslash)))) (i64.const 48))))))
        (if (i64.eqz (local.get $backslashes))
          (then
            (local.set $escaped (local.get $carry))
            (local.set $carry (i64.const 0)))
          (else
            ;; Escaped is what stands behind a run of backslashes of odd length. Of runs that begin at odd
            ;; places the first is added: that carries to the place behind the run, and there the sum's bits
            ;; differ from those of a run that begins at an even place.
            (local.set $backslashes
              (i64.and (local.get $backslashes) (i64.xor (local.get $carry) (i64.const -1))))
            (local.set $behind
              (i64.or (i64.shl (local.get $backslashes) (i64.const 1)) (local.get $carry)))
            (local.set $first (i64.and
              (i64.and (local.get $backslashes) (i64.const 0xaaaaaaaaaaaaaaaa))
              (i64.xor (local.get $behind) (i64.const -1))))
            (local.set $sum (i64.add (local.get $first) (local.get $backslashes)))
            (local.set $escaped (i64.and
              (local.get $behind)
              (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $sum) (i64.const 1)))))
            (local.set $carry (i64.extend_i32_u (i64.lt_u (local.get $sum) (local.get $first))))
            (if (i32.lt_u (local.get $count) (i32.const 64)) (then
              (local.set $carry (i64.and (i64.const 1)
                (i64.shr_u (local.get $escaped) (i64.extend_i32_u (local.get $count)))))))))

        (local.set $quotes (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $quote))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $quote)))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $quote)))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $quote)))) (i64.const 48)))))
        ;; What may be escaped, and is not u, which is looked at one by one.
        (local.set $odd (i64.const 0))
        (if (i64.ne (local.get $escaped) (i64.const 0)) (then
          (local.set $odd (i64.and
            (i64.and (local.get $escaped) (local.get $mine))
            (i64.xor (i64.const -1) (i64.or (local.get $quotes) (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $a) (i8x16.swizzle (local.get $escapes) (v128.and (local.get $a) (local.get $nibble)))) (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x72))))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $b) (i8x16.swizzle (local.get $escapes) (v128.and (local.get $b) (local.get $nibble)))) (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x72)))))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $c) (i8x16.swizzle (local.get $escapes) (v128.and (local.get $c) (local.get $nibble)))) (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x72)))))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $d) (i8x16.swizzle (local.get $escapes) (v128.and (local.get $d) (local.get $nibble)))) (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x72)))))) (i64.const 48))))))))))
        (local.set $quotes (i64.and
          (i64.and (local.get $mine) (i64.xor (local.get $escaped) (i64.const -1)))
          (local.get $quotes)))
        ;; Text is what has an odd number of quotes up to it: each bit becomes the sum of all up to itself.
        (local.set $text (local.get $isText))
        (if (i64.ne (local.get $quotes) (i64.const 0)) (then
          (local.set $text (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
          (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 2))))
          (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 4))))
          (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 8))))
          (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 16))))
          (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 32))))
          (local.set $text (i64.xor (local.get $text) (local.get $isText)))
          (local.set $isText (i64.shr_s (local.get $text) (i64.const 63)))))

        ;; What no string may hold: control characters, and escapes that there are none of.
        (local.set $bad (i64.const 0))
        (if (v128.any_true (i8x16.lt_u
          (i8x16.min_u
            (i8x16.min_u (local.get $a) (local.get $b))
            (i8x16.min_u (local.get $c) (local.get $d)))
          (local.get $space))) (then
          (local.set $bad (i64.and
            (i64.and (local.get $mine) (local.get $text))
            (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.lt_u (local.get $a) (local.get $space))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.lt_u (local.get $b) (local.get $space)))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.lt_u (local.get $c) (local.get $space)))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.lt_u (local.get $d) (local.get $space)))) (i64.const 48))))))))
        (local.set $unicode (i64.const 0))
        (local.set $bits (i64.and (local.get $odd) (local.get $text)))
        (block $none (loop $each
          (br_if $none (i64.eqz (local.get $bits)))
          (local.set $behind (i64.and (local.get $bits) (i64.sub (i64.const 0) (local.get $bits))))
          (local.set $next (i32.load8_u offset=286720 (i32.load8_u
            (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $bits)))))))
          (if (i32.eqz (local.get $next))
            (then (local.set $bad (i64.or (local.get $bad) (local.get $behind)))))
          (if (i32.eq (local.get $next) (i32.const 2))
            (then (local.set $unicode (i64.or (local.get $unicode) (local.get $behind)))))
          (local.set $bits (i64.xor (local.get $bits) (local.get $behind)))
          (br $each)))
        ;; Four digits stand behind \u.
        (if (i64.ne (i64.or (local.get $unicode) (local.get $hex)) (i64.const 0)) (then
          (local.set $need (i64.or (local.get $hex) (i64.or
            (i64.or
              (i64.shl (local.get $unicode) (i64.const 1))
              (i64.shl (local.get $unicode) (i64.const 2)))
            (i64.or
              (i64.shl (local.get $unicode) (i64.const 3))
              (i64.shl (local.get $unicode) (i64.const 4))))))
          (local.set $bad (i64.or (local.get $bad) (i64.and
            (i64.and (local.get $mine) (local.get $need))
            (i64.xor (i64.const -1) (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.lt_u (i8x16.sub (local.get $a) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))) (i8x16.lt_u (i8x16.sub (v128.or (local.get $a) (local.get $space)) (i8x16.splat (i32.const 0x61))) (i8x16.splat (i32.const 6))))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.lt_u (i8x16.sub (local.get $b) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))) (i8x16.lt_u (i8x16.sub (v128.or (local.get $b) (local.get $space)) (i8x16.splat (i32.const 0x61))) (i8x16.splat (i32.const 6)))))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.lt_u (i8x16.sub (local.get $c) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))) (i8x16.lt_u (i8x16.sub (v128.or (local.get $c) (local.get $space)) (i8x16.splat (i32.const 0x61))) (i8x16.splat (i32.const 6)))))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.lt_u (i8x16.sub (local.get $d) (i8x16.splat (i32.const 0x30))) (i8x16.splat (i32.const 10))) (i8x16.lt_u (i8x16.sub (v128.or (local.get $d) (local.get $space)) (i8x16.splat (i32.const 0x61))) (i8x16.splat (i32.const 6)))))) (i64.const 48))))))))
          (local.set $hex (i64.or
            (i64.or
              (i64.shr_u (local.get $unicode) (i64.const 63))
              (i64.shr_u (local.get $unicode) (i64.const 62)))
            (i64.or
              (i64.shr_u (local.get $unicode) (i64.const 61))
              (i64.shr_u (local.get $unicode) (i64.const 60)))))
          (if (i32.lt_u (local.get $count) (i32.const 64)) (then
            (local.set $hex (i64.or
              (i64.shr_u (local.get $need) (i64.extend_i32_u (local.get $count)))
              (i64.shl (local.get $hex)
                (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $count))))))))))

        (local.set $outside (i64.and (local.get $mine) (i64.xor (local.get $text) (i64.const -1))))
        (local.set $found (i64.const 0))
        (if (i64.eqz (i64.or (local.get $outside) (local.get $quotes)))
          (then (local.set $before (i64.const 0)))
          (else
            (local.set $found (i64.and (local.get $outside) (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $a) (local.get $space)) (i8x16.swizzle (local.get $marks) (v128.and (local.get $a) (local.get $nibble))))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $b) (local.get $space)) (i8x16.swizzle (local.get $marks) (v128.and (local.get $b) (local.get $nibble)))))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $c) (local.get $space)) (i8x16.swizzle (local.get $marks) (v128.and (local.get $c) (local.get $nibble)))))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (v128.or (local.get $d) (local.get $space)) (i8x16.swizzle (local.get $marks) (v128.and (local.get $d) (local.get $nibble)))))) (i64.const 48))))))
            (local.set $literals (i64.and
              (i64.and
                (local.get $outside)
                (i64.xor (i64.or (local.get $found) (local.get $quotes)) (i64.const -1)))
              (i64.xor (i64.const -1) (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.swizzle (local.get $spaces) (v128.and (local.get $a) (local.get $nibble))))))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.swizzle (local.get $spaces) (v128.and (local.get $b) (local.get $nibble)))))) (i64.const 16)))
          (i64.or
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.swizzle (local.get $spaces) (v128.and (local.get $c) (local.get $nibble)))))) (i64.const 32))
            (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.swizzle (local.get $spaces) (v128.and (local.get $d) (local.get $nibble)))))) (i64.const 48)))))))
            (local.set $found (i64.or
              (i64.or (local.get $found) (i64.and (local.get $quotes) (local.get $text)))
              (i64.and (local.get $literals) (i64.xor (i64.const -1)
                (i64.or (i64.shl (local.get $literals) (i64.const 1)) (local.get $before))))))
            (local.set $before (i64.shr_u (local.get $literals) (i64.const 63)))))
        ;; What stands before it may be wrong as well.
        (if (i64.ne (local.get $bad) (i64.const 0)) (then
          (local.set $found (i64.and (local.get $found) (i64.sub
            (i64.and (local.get $bad) (i64.sub (i64.const 0) (local.get $bad)))
            (i64.const 1))))))

        (block $none (loop $each
          (br_if $none (i64.eqz (local.get $found)))
          (local.set $index
            (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $found)))))
          (local.set $found
            (i64.and (local.get $found) (i64.sub (local.get $found) (i64.const 1))))
          (local.set $class (i32.load8_u offset=278528 (i32.load8_u (local.get $index))))
          (if (i32.or
            (i32.le_u (local.get $depth) (i32.const 1))
            (i32.and
              (i32.eq (local.get $depth) (i32.const 2))
              (i32.or
                (i32.eq (local.get $state) (i32.const 5))
                (i32.ge_u (local.get $class) (i32.const 6))))) (then
            (i32.store16 offset=131072 (i32.shl (local.get $tokens) (i32.const 1)) (local.get $index))
            (local.set $tokens (i32.add (local.get $tokens) (i32.const 1)))))
          (local.set $next (i32.load8_u offset=278784
            (i32.add (i32.shl (local.get $state) (i32.const 3)) (local.get $class))))
          (if (i32.lt_u (local.get $next) (i32.const 16))
            (then
              (local.set $state (local.get $next))
              (if (i32.eqz (local.get $class)) (then
                (local.set $scalar
                  (call $literal (local.get $index) (local.get $end) (i32.const 1)))
                (if (i32.eq (local.get $scalar) (i32.const 255)) (then
                  (local.set $result (i32.sub (i32.const -1) (global.get $literalAt)))
                  (br $out))))))
            (else
              (if (i32.eq (local.get $next) (i32.const 255)) (then
                (local.set $result (i32.sub (i32.const -1) (local.get $index)))
                (br $out)))
              (if (i32.eq (local.get $next) (i32.const 18))
                (then
                  (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
                  (local.set $state (i32.const 9))
                  (if (local.get $depth) (then
                    (local.set $state (i32.load8_u offset=262143 (local.get $depth))))))
                (else
                  (if (i32.eq (local.get $depth) (i32.const 10000)) (then
                    (local.set $result (i32.sub (i32.const -1) (local.get $index)))
                    (br $out)))
                  ;; Behind a value in an object comes state 4, in an array 7.
                  (i32.store8 offset=262144 (local.get $depth)
                    (select (i32.const 4) (i32.const 7)
                      (i32.eq (local.get $next) (i32.const 16))))
                  (local.set $state
                    (select (i32.const 0) (i32.const 5)
                      (i32.eq (local.get $next) (i32.const 16))))
                  (local.set $depth (i32.add (local.get $depth) (i32.const 1)))))))
          (br $each)))

        (if (i64.ne (local.get $bad) (i64.const 0)) (then
          (local.set $result (i32.sub
            (i32.sub (i32.const -1) (local.get $at))
            (i32.wrap_i64 (i64.ctz (local.get $bad)))))
          (br $out)))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $blocks)))

    (i32.store offset=286976 (i32.const 0) (local.get $depth))
    (i32.store offset=286980 (i32.const 0) (local.get $state))
    (i32.store offset=286984 (i32.const 0) (local.get $scalar))
    (i64.store32 offset=286988 (i32.const 0) (local.get $isText))
    (i64.store32 offset=286992 (i32.const 0) (local.get $carry))
    (i64.store32 offset=286996 (i32.const 0) (local.get $hex))
    ;; Was a byte among them that is not ASCII? Bytes behind the end may have been, too.
    (i32.store offset=287000 (i32.const 0) (i32.ne (i8x16.bitmask (local.get $seen)) (i32.const 0)))
    (local.get $result)))
