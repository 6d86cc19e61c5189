// The albedo of a white GGX lobe: a polynomial of the root of the cosine to the eye and of the roughness, fitted to a
// quadrature in f64: within 0.01 from roughness 0.3 up, within 0.02 below. A test derives it again.

fn ggx_albedo(cosine: f32, roughness: f32) -> f32 {
    let x = 2.0 * sqrt(clamp(cosine, 0.0001, 1.0)) - 1.0;
    let y = 2.0 * clamp(roughness, 0.0, 1.0) - 1.0;
    let c0 = (((((-0.1292496 * y + 0.2151664) * y + 0.05599469) * y - 0.2530467) * y + 0.02736771) * y - 0.1588675) * y + 0.839132;
    let c1 = (((((0.761 * y - 0.7204194) * y - 1.153446) * y + 1.24753) * y + 0.1550844) * y - 0.6582347) * y - 0.0415764;
    let c2 = (((((5.479579 * y - 4.345643) * y - 4.568206) * y + 3.510546) * y + 0.2503819) * y - 0.3393725) * y + 0.2223684;
    let c3 = (((((-2.418582 * y + 3.174477) * y + 2.997391) * y - 4.366219) * y - 0.410901) * y + 1.151237) * y - 0.06803714;
    let c4 = (((((-14.79004 * y + 9.180158) * y + 14.19863) * y - 6.563701) * y - 2.87823) * y + 0.5816239) * y - 0.07074637;
    let c5 = (((((1.419153 * y - 2.66479) * y - 1.187307) * y + 3.274526) * y - 0.2420719) * y - 0.6810504) * y + 0.06958731;
    let c6 = (((((10.09714 * y - 5.158471) * y - 10.50563) * y + 3.380183) * y + 2.731534) * y - 0.2908963) * y - 0.04084816;
    return clamp((((((c6 * x + c5) * x + c4) * x + c3) * x + c2) * x + c1) * x + c0, 0.25, 1.0);
}
