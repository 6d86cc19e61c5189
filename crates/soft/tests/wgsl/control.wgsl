// Branches, loops, switches: divergent and uniform.

fn sign_of(x: f32) -> i32 {
    if x > 0.0 { return 1; }
    if x < 0.0 { return -1; }
    return 0;
}
// run: sign_of(3.5) == 1
// run: sign_of(-0.25) == -1
// run: sign_of(0.0) == 0
// run: sign_of(nan) == 0

fn collatz(start: u32) -> u32 {
    var n = start;
    var steps = 0u;
    while n != 1u {
        if n % 2u == 0u { n = n / 2u; } else { n = 3u * n + 1u; }
        steps++;
    }
    return steps;
}
// run: collatz(1u) == 0u
// run: collatz(6u) == 8u
// run: collatz(27u) == 111u

fn sum_odd(n: i32) -> i32 {
    var sum = 0;
    for (var i = 0; i < n; i++) {
        if i % 2 == 0 { continue; }
        if i > 20 { break; }
        sum += i;
    }
    return sum;
}
// run: sum_odd(0) == 0
// run: sum_odd(6) == 9
// run: sum_odd(100) == 100

fn pick(k: i32) -> i32 {
    var r = 0;
    switch k {
        case 0: { r = 10; }
        case 1, 2: { r = 20; if k == 2 { break; } r += 1; }
        case -7: { return 70; }
        default: { r = 99; }
    }
    return r;
}
// run: pick(0) == 10
// run: pick(1) == 21
// run: pick(2) == 20
// run: pick(-7) == 70
// run: pick(5) == 99

fn with_continuing(n: u32) -> u32 {
    var i = 0u;
    var sum = 0u;
    loop {
        if i == 3u { continue; }
        sum += i;
        continuing {
            i += 1u;
            break if i >= n;
        }
    }
    return sum;
}
// run: with_continuing(3u) == 3u
// run: with_continuing(6u) == 12u
// run: with_continuing(0u) == 0u

fn nested(n: i32) -> i32 {
    var found = -1;
    for (var y = 0; y < n; y++) {
        for (var x = 0; x < n; x++) {
            if x * y > n { found = y * 100 + x; break; }
        }
        if found >= 0 { break; }
    }
    return found;
}
// run: nested(2) == -1
// run: nested(3) == 202
// run: nested(4) == 203
// run: nested(9) == 205

fn short_circuit(a: bool, n: i32) -> i32 {
    var hits = 0;
    if a && bump(&hits) > n { hits += 10; }
    if a || bump(&hits) > n { hits += 100; }
    return hits;
}
fn bump(p: ptr<function, i32>) -> i32 { *p += 1; return *p; }
// run: short_circuit(true, 0) == 111
// run: short_circuit(true, 5) == 101
// run: short_circuit(false, 0) == 101
// run: short_circuit(false, 5) == 1

fn loop_in_switch(k: i32) -> i32 {
    var r = 0;
    for (var i = 0; i < 10; i++) {
        switch i {
            case 2: { continue; }
            case 7: { if k > 0 { return r; } r += 1000; }
            default: { r += k; }
        }
    }
    return r;
}
// run: loop_in_switch(1) == 6
// run: loop_in_switch(0) == 1000
// run: loop_in_switch(-2) == 984
