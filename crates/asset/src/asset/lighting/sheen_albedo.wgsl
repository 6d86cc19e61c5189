// Charlie's lobe, and its albedo: a polynomial of the root of the cosine and of the roughness, which is the logarithm
// times the square of the roughness, fitted to a quadrature in f64 within 0.01. A test derives it again. No value is over
// 1, which the lobe itself is at grazing angles of smooth fibres.

fn sheen_albedo(cosine: f32, roughness: f32) -> f32 {
    let x = 2.0 * sqrt(clamp(cosine, 0.0001, 1.0)) - 1.0;
    let y = 2.0 * clamp(roughness, 0.0, 1.0) - 1.0;
    let c0 = ((((((-0.0930638 * y - 0.1935623) * y + 0.0534169) * y + 0.2742506) * y + 0.03246) * y - 0.3561465) * y - 0.4597199) * y - 0.2082671;
    let c1 = ((((((-0.01137819 * y - 0.2874238) * y - 0.2195549) * y + 0.2788332) * y + 0.2860925) * y - 0.05583673) * y - 0.3873237) * y - 0.3193676;
    let c2 = ((((((2.56835 * y + 4.074331) * y - 2.21619) * y - 5.61865) * y - 0.5861471) * y + 1.823966) * y + 0.3784413) * y - 0.2207694;
    let c3 = ((((((2.242196 * y + 2.344389) * y + 0.2496622) * y - 3.033925) * y - 2.944434) * y + 0.587226) * y + 0.9974102) * y - 0.05493779;
    let c4 = ((((((-1.926801 * y - 15.71384) * y - 0.2641871) * y + 19.49813) * y + 4.70444) * y - 5.878151) * y - 1.85216) * y + 0.3047006;
    let c5 = ((((((-1.650822 * y - 10.88189) * y - 2.529242) * y + 10.82073) * y + 7.869726) * y - 1.657456) * y - 3.184224) * y + 0.1297223;
    let c6 = ((((((-0.6427427 * y + 11.86307) * y + 2.980779) * y - 14.01857) * y - 4.918587) * y + 4.100492) * y + 1.684623) * y - 0.3446424;
    let c7 = ((((((-0.1253039 * y + 8.804601) * y + 1.547871) * y - 7.359703) * y - 5.093775) * y + 0.511878) * y + 2.595334) * y - 0.2067048;
    let power = ((((((c7 * x + c6) * x + c5) * x + c4) * x + c3) * x + c2) * x + c1) * x + c0;
    let least = max(roughness, 0.07);
    return exp(min(power / (least * least), 0.0));
}

// Distribution of fibres (Estevez, Kulla 2017) times 1 / (4 (nl + nv - nl nv)) (Neubelt, Pettineo 2013).
fn charlie(a: Angles, roughness: f32) -> f32 {
    let r = max(roughness, 0.07);
    let inverse = 1.0 / (r * r);
    let distribution = (2.0 + inverse) * pow(max(a.sin2, 1e-12), 0.5 * inverse) * (0.5 * INV_PI);
    return distribution * 0.25 / (a.nl + a.nv - a.nl * a.nv);
}
